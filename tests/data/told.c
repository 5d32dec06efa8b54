// SPDX-License-Identifier: GPL-2.0-or-later
/* A filter for perf script that prints all that it is told of each sample (tests/cli/dlfilter.sh).
 */
#include <perf/perf_dlfilter.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct perf_dlfilter_fns perf_dlfilter_fns;
static int n;
int start(void **data, void *ctx)
{
	int nr = -1;
	char **args = perf_dlfilter_fns.args(ctx, &nr);
	printf("start %d", nr);
	for (int i = 0; i < nr; i++)
		printf(" '%s'", args[i]);
	printf(" %d\n", perf_dlfilter_fns.resolve_ip(ctx) == NULL);
	*data = &n;
	return 0;
}
static void show_al(const char *what, const struct perf_dlfilter_al *al)
{
	const char *base = al && al->dso ? strrchr(al->dso, '/') : NULL;
	if (!al) {
		printf(" %s none", what);
		return;
	}
	printf(" %s %s+%x %llx [%llx,%llx) %s b%d k%d 64:%d id%d", what, al->sym ? al->sym : "-",
	       al->symoff, al->addr, al->sym_start, al->sym_end,
	       base      ? base + 1
	       : al->dso ? al->dso
	                 : "-",
	       al->sym_binding, al->is_kernel_ip, al->dso ? al->is_64_bit : 9, al->buildid_size);
}
static void show(const char *what, const struct perf_dlfilter_sample *s, void *ctx)
{
	const struct perf_dlfilter_al *al;
	struct perf_dlfilter_al other;
	struct perf_event_attr *attr;
	unsigned char buf[8];
	__u32 len = 0, line = 0;
	const __u8 *in;
	const char *src;
	printf("%s %u ", what, s->size >= offsetof(struct perf_dlfilter_sample, vcpu) + 4);
	printf("%d %d ip %llx pid %d tid %d t %llu addr %llx id %llx st %llx per %llu w %llu tx %llx i%llu c%llu cpu %d f%x ds %llx ph %llx dp %llx cp %llx cg %llx m%d corr%d misc%x raw %u",
	       s->ins_lat, s->p_stage_cyc, s->ip, s->pid, s->tid, s->time, s->addr, s->id,
	       s->stream_id, s->period, s->weight, s->transaction, s->insn_cnt, s->cyc_cnt, s->cpu,
	       s->flags, s->data_src, s->phys_addr, s->data_page_size, s->code_page_size, s->cgroup,
	       s->cpumode, s->addr_correlates_sym, s->misc, s->raw_size);
	for (unsigned i = 0; i < s->raw_size && i < 16; i++)
		printf(" %02x", ((const unsigned char *)s->raw_data)[i]);
	printf(" br %llu", s->brstack_nr);
	for (unsigned i = 0; i < s->brstack_nr; i++)
		printf(" %llx>%llx:%d%d%d%d:%d", s->brstack[i].from, s->brstack[i].to,
		       s->brstack[i].mispred, s->brstack[i].predicted, s->brstack[i].in_tx,
		       s->brstack[i].abort, s->brstack[i].cycles);
	printf(" ch %llu", s->raw_callchain_nr);
	for (unsigned i = 0; i < s->raw_callchain_nr; i++)
		printf(" %llx", s->raw_callchain[i]);
	printf(" %s mp %d %d", s->event, s->machine_pid, s->vcpu);
	al = perf_dlfilter_fns.resolve_ip(ctx);
	show_al("IP", al);
	if (al)
		printf(" comm %s filtered %d", al->comm, !!al->filtered);
	show_al("ADDR", perf_dlfilter_fns.resolve_addr(ctx));
	memset(&other, 0, sizeof(other));
	other.size = offsetof(struct perf_dlfilter_al, filtered);
	len = perf_dlfilter_fns.resolve_address(ctx, s->addr ? s->addr : s->ip + 1, &other);
	printf(" ret %d size %u", (int)len, other.size);
	show_al("OTHER", &other);
	other.size = sizeof(other);
	printf(" k %d", perf_dlfilter_fns.resolve_address(ctx, 0xffffffff81001003, &other));
	show_al("KERN", &other);
	len = 99;
	in = perf_dlfilter_fns.insn(ctx, &len);
	if (in) {
		printf(" insn %u", len);
		for (unsigned i = 0; i < len; i++)
			printf(" %02x", in[i]);
	}
	src = perf_dlfilter_fns.srcline(ctx, &line);
	printf(" src %s:%u", src ? src : "-", src ? line : 0);
	attr = perf_dlfilter_fns.attr(ctx);
	printf(" attr %u %llx %llx %llx", attr->type, attr->config, attr->sample_type,
	       attr->sample_period);
	memset(buf, 0, 8);
	printf(" code %d", perf_dlfilter_fns.object_code(ctx, s->ip, buf, 8));
	for (int i = 0; i < 8; i++)
		printf(" %02x", buf[i]);
	printf("\n");
}
int filter_event_early(void *data, const struct perf_dlfilter_sample *s, void *ctx)
{
	show("early", s, ctx);
	return s->time % 5 == 1;
}
int filter_event(void *data, const struct perf_dlfilter_sample *s, void *ctx)
{
	show("event", s, ctx);
	return ++*(int *)data % 3 == 0;
}
int stop(void *data, void *ctx)
{
	printf("stop %d\n", *(int *)data);
	return 0;
}
const char *filter_description(const char **more)
{
	*more = "all that it is told";
	return "prints what it sees";
}
