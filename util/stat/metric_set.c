// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stat/metric_set.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/lib/alloc.h"
#include "util/lib/formula.h"
#include "util/options/nearest.h"
#include "util/stat/metric_facts.h"

#define DEPTH_MAX 32   /* metrics that refer to metrics */
#define ITEMS_MAX 4096 /* metrics of a set, those referred to included */

/* What a name of a formula stands for. */
struct metric_name {
	const char *text; /* of the formula */
	u32 item;         /* another metric, or ID_NONE: an event */
};

struct metric_item {
	const struct table_metric *metric;
	struct formula *formula;
	struct metric_name *names;
	u32 nr_names;
	bool shown;   /* -M names it; else another metric needs it */
	u32 group;    /* of its events */
	u32 beside;   /* index of the evsel it stands beside */
	char *label;  /* "%  name" */
	u32 stamp;    /* of the walk or computation that was here last; */
	double value; /* what it found */
};

/* An event in the list, as evsels from @first on (one for each of its sources). */
struct metric_event {
	char *text;
	u32 first, nr;
	u32 group;
};

#define GROUP_NONE ID_NONE /* of events that are in no group and shared by all */

void metric_set__exit(struct metric_set *set)
{
	for (u32 i = 0; i < set->nr; i++) {
		formula__free(set->items[i].formula);
		free(set->items[i].names);
		free(set->items[i].label);
	}
	for (u32 i = 0; i < set->nr_events; i++)
		free(set->events[i].text);
	free(set->items);
	free(set->events);
	*set = (struct metric_set){ .nr = 0 };
}

/* --- formulas --- */

struct adding {
	struct metric_set *set;
	struct evlist *list;
	struct event_sources *sources;
	const struct event_table *table;
	struct error *err;
};

static int blame(struct adding *a, const struct table_metric *metric, const char *cause)
{
	error__set(a->err, -EINVAL, "cannot compute metric", metric->name, "%s", cause);
	return error__advise(a->err, "it is in %.200s:%u: %.80s", metric->file, metric->line,
	                     metric->formula);
}

static u32 find_item(const struct metric_set *set, const struct table_metric *metric)
{
	for (u32 i = 0; i < set->nr; i++)
		if (set->items[i].metric == metric)
			return i;
	return ID_NONE;
}

/* Linux's perf aligns figures with a unit and those without one so. */
static char *make_label(const struct table_metric *metric)
{
	if (!metric->unit)
		return xstrdup(metric->name);
	return xasprintf("%s  %s", metric->unit, metric->name);
}

static int add_item(struct adding *a, const struct table_metric *metric, u32 depth, u32 *item);

/* Another metric of this very name, or an event. */
static int resolve(struct adding *a, const struct table_metric *metric, struct metric_name *name,
                   u32 depth)
{
	const struct table_metric *other = event_table__metric(a->table, name->text);

	name->item = ID_NONE;
	if (!other || other == metric || strcmp(other->name, name->text) != 0)
		return 0;
	return add_item(a, other, depth + 1, &name->item);
}

/* The item of @metric, made with all it refers to. */
static int add_item(struct adding *a, const struct table_metric *metric, u32 depth, u32 *index)
{
	struct metric_facts facts = { a->sources, "/sys", a->set->system_wide };
	struct formula_facts asked = metric_facts__of(&facts);
	struct metric_item item = { .metric = metric };
	struct error cause = ERROR_INIT;
	struct metric_set *set = a->set;
	size_t cap = 0;
	const char *text;
	int ret = 0;

	*index = find_item(set, metric);
	if (*index != ID_NONE)
		return 0;
	if (depth > DEPTH_MAX || set->nr >= ITEMS_MAX)
		return blame(a, metric, "metrics refer to each other without end");
	item.formula = formula__parse(metric->formula, &asked, &cause);
	if (!item.formula)
		return blame(a, metric, cause.cause);
	while (!ret && (text = formula__name(item.formula, item.nr_names))) {
		array__reserve(&item.names, &cap, item.nr_names + 1, sizeof(*item.names));
		item.names[item.nr_names] = (struct metric_name){ .text = text };
		ret = resolve(a, metric, &item.names[item.nr_names++], depth);
	}
	if (ret) {
		formula__free(item.formula);
		free(item.names);
		return ret;
	}
	item.label = make_label(metric);
	array__reserve(&set->items, &set->cap, set->nr + 1, sizeof(*set->items));
	*index = set->nr;
	set->items[set->nr++] = item;
	return 0;
}

/* --- events --- */

/* The event texts that @item needs, those of metrics it refers to included, each once. */
static void collect(struct metric_set *set, struct metric_item *item, const char ***texts,
                    size_t *cap, u32 *nr)
{
	if (item->stamp == set->stamp)
		return;
	item->stamp = set->stamp;
	for (u32 i = 0; i < item->nr_names; i++) {
		const struct metric_name *name = &item->names[i];
		u32 at = 0;

		if (name->item != ID_NONE) {
			collect(set, &set->items[name->item], texts, cap, nr);
			continue;
		}
		while (at < *nr && strcmp((*texts)[at], name->text) != 0)
			at++;
		if (at < *nr)
			continue;
		array__reserve(texts, cap, *nr + 1, sizeof(**texts));
		(*texts)[(*nr)++] = name->text;
	}
}

static u32 find_event(const struct metric_set *set, const char *text, u32 group)
{
	for (u32 i = 0; i < set->nr_events; i++)
		if (set->events[i].group == group && !strcmp(set->events[i].text, text))
			return i;
	return ID_NONE;
}

/* The group in which all of @texts are (tools apart), or ID_NONE. */
static u32 find_group(const struct metric_set *set, const char *const *texts, u32 nr)
{
	for (u32 group = 0; group < set->nr_groups; group++) {
		u32 i = 0;

		while (i < nr &&
		       (event_names__tool(texts[i]) || find_event(set, texts[i], group) != ID_NONE))
			i++;
		if (i == nr)
			return group;
	}
	return ID_NONE;
}

static int add_event(struct adding *a, const struct table_metric *metric, const char *text,
                     u32 group)
{
	struct metric_set *set = a->set;
	struct metric_event event = { .group = group, .first = a->list->nr };
	struct error cause = ERROR_INIT;
	int ret;

	if (find_event(set, text, group) != ID_NONE)
		return 0;
	ret = evlist__parse(a->list, a->sources, text, &cause);
	if (ret) {
		error__set(a->err, ret, "cannot count metric", metric->name,
		           "its event '%.80s': %.200s", text, cause.cause);
		return ret;
	}
	event.nr = a->list->nr - event.first;
	event.text = xstrdup(text);
	array__reserve(&set->events, &set->events_cap, set->nr_events + 1, sizeof(*set->events));
	set->events[set->nr_events++] = event;
	return 0;
}

/* Events of one group, from @first on. */
static void make_group(struct evlist *list, u32 first)
{
	if (list->nr - first < 2)
		return;
	evlist__make_group(list, first);
	for (u32 i = first; i < list->nr; i++)
		list->evsels[i]->weak_group = true;
}

/* The first evsel of the item that is no tool, or the first. */
static u32 index_beside(const struct metric_set *set, const struct evlist *list,
                        const char *const *texts, u32 nr, u32 group)
{
	u32 best = ID_NONE, tool = ID_NONE;

	for (u32 i = 0; i < nr; i++) {
		u32 event = find_event(set, texts[i], group);

		if (event == ID_NONE)
			event = find_event(set, texts[i], GROUP_NONE);
		if (event == ID_NONE)
			continue;
		event = set->events[event].first;
		if (list->evsels[event]->tool)
			tool = event < tool ? event : tool;
		else
			best = event < best ? event : best;
	}
	return best != ID_NONE ? best : tool;
}

/* Neither what the kernel counts by itself nor what perf measures needs a group: it always runs. */
static bool always_runs(const char *const *texts, u32 nr)
{
	u32 type;
	u64 config;

	for (u32 i = 0; i < nr; i++)
		if (!event_names__tool(texts[i]) &&
		    (!event_names__find(texts[i], &type, &config) || type != PERF_TYPE_SOFTWARE))
			return false;
	return true;
}

/* The events of one metric into the list. On failure the list and the set are as they were. */
static int add_events(struct adding *a, struct metric_item *item, const char *const *texts, u32 nr)
{
	struct metric_set *set = a->set;
	bool apart = set->no_group || item->metric->apart || always_runs(texts, nr);
	u32 before = a->list->nr, nr_before = set->nr_events;
	u32 group = apart ? GROUP_NONE : set->no_merge ? ID_NONE : find_group(set, texts, nr);
	bool fresh = !apart && group == ID_NONE;
	int ret = 0;

	if (fresh)
		group = set->nr_groups;
	for (u32 i = 0; !ret && i < nr; i++)
		if (!event_names__tool(texts[i]))
			ret = add_event(a, item->metric, texts[i], group);
	if (!ret && fresh)
		make_group(a->list, before);
	for (u32 i = 0; !ret && i < nr; i++)
		if (event_names__tool(texts[i]))
			ret = add_event(a, item->metric, texts[i], GROUP_NONE);
	if (ret) {
		evlist__truncate(a->list, before);
		while (set->nr_events > nr_before)
			free(set->events[--set->nr_events].text);
		return ret;
	}
	set->nr_groups += fresh;
	item->group = group;
	item->beside = index_beside(set, a->list, texts, nr, group);
	return 0;
}

/* --- which metrics --- */

struct wanted {
	const struct table_metric *metric;
	bool of_group; /* named by a group: may be left out */
	u32 order, item;
	const char **texts; /* its events */
	u32 nr;
};

struct wanteds {
	struct wanted *rows;
	u32 nr;
	size_t cap;
};

static void want(struct wanteds *wanteds, const struct table_metric *metric, bool of_group)
{
	for (u32 i = 0; i < wanteds->nr; i++)
		if (wanteds->rows[i].metric == metric) {
			wanteds->rows[i].of_group &= of_group;
			return;
		}
	array__reserve(&wanteds->rows, &wanteds->cap, wanteds->nr + 1, sizeof(*wanteds->rows));
	wanteds->rows[wanteds->nr] = (struct wanted){ metric, of_group, wanteds->nr, 0, NULL, 0 };
	wanteds->nr++;
}

static int unknown(struct adding *a, const char *name)
{
	const char **groups;
	struct nearest nearest;
	char text[200];
	u32 nr;

	groups = event_table__groups(a->sources->table, &nr);
	nearest__init(&nearest, name);
	for (u32 i = 0; i < a->table->nr_metrics; i++)
		nearest__offer(&nearest, a->table->metrics[i].name);
	for (u32 i = 0; i < nr; i++)
		nearest__offer(&nearest, groups[i]);
	nearest__text(&nearest, "", text, sizeof(text));
	error__set(a->err, -ENOENT, "Cannot find metric or group", name, "%s",
	           *text                   ? text
	           : !a->table->nr_metrics ? "no table of metrics is installed"
	           : a->table->folder      ? "the table of this CPU has none of this name"
	                                   : "this CPU has no table of its own");
	if (a->table->nr_problems)
		error__advise(a->err, "the event table has mistakes: %.200s",
		              a->table->problems[0]);
	else
		error__advise(a->err, "Run 'perf list metric' for those there are%s%.100s%s",
		              a->table->folder ? "" : "; this CPU is '",
		              a->table->folder ? "" : a->table->cpu, a->table->folder ? "" : "'");
	free(groups);
	return -ENOENT;
}

/* One name of -M: a metric, all of a group, or "all". */
static int want_named(struct adding *a, struct wanteds *wanteds, const char *name)
{
	const struct table_metric *metric = event_table__metric(a->table, name);
	bool all = !strcmp(name, "all");
	u32 before = wanteds->nr;

	if (metric) {
		want(wanteds, metric, false);
		return 0;
	}
	for (u32 i = 0; i < a->table->nr_metrics; i++) {
		metric = &a->table->metrics[i];
		if (all || table_metric__is_in(metric, name))
			want(wanteds, metric, true);
	}
	return wanteds->nr > before ? 0 : unknown(a, name);
}

static int want_all(struct adding *a, struct wanteds *wanteds, const char *text)
{
	char *copy = xstrdup(text), *rest = copy, *name;
	int ret = 0;

	while (!ret && (name = strsep(&rest, ",")))
		if (*name)
			ret = want_named(a, wanteds, name);
	free(copy);
	if (!ret && !wanteds->nr)
		ret = error__set(a->err, -EINVAL, "cannot use option", "-M",
		                 "a metric is missing; 'perf list metric' names them");
	return ret;
}

/* A failure of @wanted: 0 if it is only left out. */
static int leave_out(struct adding *a, const struct wanted *wanted, int ret)
{
	if (!ret || !wanted->of_group)
		return ret;
	if (!a->set->nr_skipped++ && a->err)
		a->set->skipped = *a->err;
	if (a->err)
		*a->err = (struct error)ERROR_INIT;
	return 0;
}

/* Those with many events first: others may share their groups. Else as they were named. */
static int by_events(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;

	if (x->nr != y->nr)
		return x->nr < y->nr ? 1 : -1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int add_wanted(struct adding *a, struct wanted *wanted)
{
	struct metric_set *set = a->set;
	struct metric_item *item = &set->items[wanted->item];
	int ret = add_events(a, item, wanted->texts, wanted->nr);

	item->shown |= !ret;
	return ret;
}

static int add_all(struct adding *a, struct wanteds *wanteds)
{
	u32 shown = 0;
	int ret = 0;

	for (u32 i = 0; !ret && i < wanteds->nr; i++) {
		struct wanted *row = &wanteds->rows[i];
		size_t cap = 0;

		ret = add_item(a, row->metric, 0, &row->item);
		a->set->stamp++;
		if (!ret)
			collect(a->set, &a->set->items[row->item], &row->texts, &cap, &row->nr);
		else
			row->item = ID_NONE;
		ret = leave_out(a, row, ret);
	}
	if (!ret)
		qsort(wanteds->rows, wanteds->nr, sizeof(*wanteds->rows), by_events);
	for (u32 i = 0; !ret && i < wanteds->nr; i++)
		if (wanteds->rows[i].item != ID_NONE)
			ret = leave_out(a, &wanteds->rows[i], add_wanted(a, &wanteds->rows[i]));
	for (u32 i = 0; i < a->set->nr; i++)
		shown += a->set->items[i].shown;
	if (!ret && !shown && a->err)
		*a->err = a->set->skipped;
	return ret ? ret : shown ? 0 : -EINVAL;
}

int metric_set__add(struct metric_set *set, struct evlist *list, struct event_sources *sources,
                    const char *text, struct error *err)
{
	struct error own = ERROR_INIT;
	struct adding a = { set, list, sources, event_sources__table(sources), err ? err : &own };
	struct wanteds wanteds = { .nr = 0 };
	int ret = want_all(&a, &wanteds, text);

	if (!ret)
		ret = add_all(&a, &wanteds);
	for (u32 i = 0; i < wanteds.nr; i++)
		free(wanteds.rows[i].texts);
	free(wanteds.rows);
	return ret;
}

/* --- values --- */

struct computing {
	struct metric_set *set;
	struct metric_item *item;
	const struct stat_event *events; /* of one cgroup */
	u32 group;
	double wall_ns;
};

static const struct metric_event *event_of(const struct computing *c, const char *text)
{
	u32 event = find_event(c->set, text, c->group);

	if (event == ID_NONE)
		event = find_event(c->set, text, GROUP_NONE);
	return event == ID_NONE ? NULL : &c->set->events[event];
}

static double compute(const struct computing *c, u32 index);

/* The sum over the sources of the event; NAN: none was counted. */
static double value_of(void *ctx, u32 index)
{
	const struct computing *c = ctx;
	const struct metric_name *name = &c->item->names[index];
	const struct metric_event *event;
	double sum = 0;
	bool any = false;

	if (name->item != ID_NONE)
		return compute(c, name->item);
	event = event_of(c, name->text);
	for (u32 i = 0; event && i < event->nr; i++) {
		const struct stat_event *counted = &c->events[event->first + i];

		if (counted->evsel->tool == EVSEL_DURATION_TIME)
			return c->wall_ns * 1e-9; /* all groups have the same */
		if (!stat_event__counted(counted))
			continue;
		any = true;
		sum += counted->value.mean * (counted->evsel->tool ? 1e-9 : 1);
	}
	return any ? sum : NAN;
}

static double sources_of(void *ctx, u32 index)
{
	const struct computing *c = ctx;
	const struct metric_event *event = event_of(c, c->item->names[index].text);
	u32 nr = 0;

	for (u32 i = 0; event && i < event->nr; i++)
		nr += stat_event__counted(&c->events[event->first + i]);
	return nr;
}

/* Of the item at @index, each once in a computation, however many refer to it. */
static double compute(const struct computing *c, u32 index)
{
	struct metric_item *item = &c->set->items[index];
	struct computing inner = *c;
	struct formula_values values = { value_of, sources_of, &inner };

	if (item->stamp == c->set->stamp)
		return item->value;
	inner.item = item;
	item->value = formula__value(item->formula, &values);
	item->stamp = c->set->stamp;
	return item->value;
}

u32 metric_set__of(struct metric_set *set, const struct stat_event *events, u32 index,
                   double wall_ns, struct stat_metric *metrics, u32 max)
{
	u32 nr = 0, first = set->stride ? index - index % set->stride : 0;

	for (u32 i = 0; i < set->nr && nr < max; i++) {
		struct metric_item *item = &set->items[i];
		struct computing c = { set, item, events + first, item->group, wall_ns };
		double value;

		if (!item->shown || first + item->beside != index)
			continue;
		set->stamp++;
		value = compute(&c, i) * item->metric->scale;
		if (!isfinite(value))
			continue;
		metrics[nr++] = (struct stat_metric){ value, item->metric->unit ? "%8.1f" : "%8.2f",
			                              item->label, true };
	}
	return nr;
}
