/* What this package uses of libpcap, with the types and numbers that Apple's version gives it. Nothing is behind the functions. */
#pragma once
#include <Darwin.h>

#define PCAP_ERRBUF_SIZE 256
#define PCAP_IF_LOOPBACK 0x00000001
#define PCAP_IF_UP 0x00000002
#define PCAP_IF_RUNNING 0x00000004
#define PCAP_IF_WIRELESS 0x00000008
#define PCAP_IF_CONNECTION_STATUS 0x00000030
#define PCAP_IF_CONNECTION_STATUS_CONNECTED 0x00000010
#define PCAP_IF_CONNECTION_STATUS_DISCONNECTED 0x00000020
#define PCAP_ERROR -1
#define PCAP_ERROR_NO_SUCH_DEVICE -5
#define PCAP_ERROR_PERM_DENIED -8
#define PCAP_ERROR_IFACE_NOT_UP -9
#define PCAP_ERROR_PROMISC_PERM_DENIED -11
#define PCAP_NETMASK_UNKNOWN 0xffffffff
#define PCAP_TSTAMP_PRECISION_NANO 1

#define DLT_ATM_RFC1483 11
#define DLT_RAW 12
#define DLT_SLIP_BSDOS 15
#define DLT_PPP_BSDOS 16
#define DLT_PFSYNC 18
#define DLT_ATM_CLIP 19
#define DLT_USER2 149
#define DLT_PKTAP DLT_USER2
#define DLT_LINUX_SLL2 276

typedef unsigned int bpf_u_int32;
typedef struct pcap pcap_t;
typedef struct pcap_if pcap_if_t;

struct bpf_insn {
    unsigned short code;
    unsigned char jt;
    unsigned char jf;
    bpf_u_int32 k;
};
struct bpf_program {
    unsigned int bf_len;
    struct bpf_insn *bf_insns;
};
struct pcap_pkthdr {
    struct darwin_timeval ts;
    bpf_u_int32 caplen;
    bpf_u_int32 len;
    char comment[256];
};
struct pcap_stat {
    unsigned int ps_recv;
    unsigned int ps_drop;
    unsigned int ps_ifdrop;
};
struct pcap_addr {
    struct pcap_addr *next;
    struct darwin_sockaddr *addr;
    struct darwin_sockaddr *netmask;
    struct darwin_sockaddr *broadaddr;
    struct darwin_sockaddr *dstaddr;
};
struct pcap_if {
    struct pcap_if *next;
    char *name;
    char *description;
    struct pcap_addr *addresses;
    bpf_u_int32 flags;
};
typedef void (*pcap_handler)(unsigned char *, const struct pcap_pkthdr *, const unsigned char *);

int pcap_activate(pcap_t *);
void pcap_close(pcap_t *);
int pcap_compile(pcap_t *, struct bpf_program *, const char *, int, bpf_u_int32);
pcap_t *pcap_create(const char *, char *);
int pcap_datalink(pcap_t *);
int pcap_dispatch(pcap_t *, int, pcap_handler, unsigned char *);
int pcap_fileno(pcap_t *);
int pcap_findalldevs(pcap_if_t **, char *);
void pcap_free_datalinks(int *);
void pcap_freealldevs(pcap_if_t *);
void pcap_freecode(struct bpf_program *);
const struct darwin_timeval *pcap_get_required_select_timeout(pcap_t *);
int pcap_get_selectable_fd(pcap_t *);
int pcap_get_tstamp_precision(pcap_t *);
char *pcap_geterr(pcap_t *);
int pcap_list_datalinks(pcap_t *, int **);
int pcap_lookupnet(const char *, bpf_u_int32 *, bpf_u_int32 *, char *);
int pcap_offline_filter(const struct bpf_program *, const struct pcap_pkthdr *, const unsigned char *);
pcap_t *pcap_open_dead(int, int);
int pcap_set_buffer_size(pcap_t *, int);
int pcap_set_datalink(pcap_t *, int);
int pcap_set_immediate_mode(pcap_t *, int);
int pcap_set_promisc(pcap_t *, int);
int pcap_set_snaplen(pcap_t *, int);
int pcap_set_timeout(pcap_t *, int);
int pcap_set_tstamp_precision(pcap_t *, int);
int pcap_setfilter(pcap_t *, struct bpf_program *);
int pcap_setnonblock(pcap_t *, int, char *);
int pcap_snapshot(pcap_t *);
int pcap_stats(pcap_t *, struct pcap_stat *);
const char *pcap_statustostr(int);
