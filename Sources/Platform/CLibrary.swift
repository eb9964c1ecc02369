// The C library of the system. Every module that imports `Platform` sees it, under whichever name it goes; a function
// that a method hides is written `Platform.write`.
#if canImport(Darwin)
    @_exported import Darwin
#elseif canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import Musl
#endif
