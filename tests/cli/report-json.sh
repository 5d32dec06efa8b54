#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf report --json: valid by its schema, and the same figures as the table.
. "$(dirname "$0")/../lib.sh"
plan 5
. "$TESTS/data/fields.sh"

PYTHON=/usr/bin/python3 # which has the packages of Debian
"$PYTHON" -c 'import jsonschema' 2> /dev/null || skip_all "to check JSON: python3-jsonschema is not there"
cat > valid.py << 'END'
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
jsonschema.validate(json.load(open("out")), schema)
END

# report FILE OPTION...: as JSON, into out, with all chains
report() {
	local file=$1
	shift
	perf report --json --kallsyms symbols -g graph,0 -i "$file" "$@"
	check [ $rc -eq 0 ]
	check "$PYTHON" valid.py "$TESTS/../Documentation/report.schema.json"
}

step "valid: all kinds of recordings and rows"
for options in '' --no-children '--hierarchy -s comm,dso,sym' '-s srcline,cpu,time -n --show-total-period' \
	'-F overhead,sample,sym' '--comms first --percentage relative' '-g none'; do
	# shellcheck disable=SC2086
	report plain.data $options
	check [ "$("$PYTHON" -c 'import json; print(len(json.load(open("out"))["events"]))')" -eq 2 ]
done
report branches.data
report memory.data --mem-mode
"$PERF" report --json -i plain.data > /dev/full 2> err
check [ $? -eq 1 ]
check grep -q 'cannot write the report' err

step "the sums hold: rows to events, frames to rows, levels to entries"
cat > sums.py << 'END'
import json
def check_frames(row):
    inside = row.get("inside", [])
    for inner in inside:
        assert inner["frames"] and inner["total_period"] >= inner["period"], inner
        check_frames(inner)
    if "frames" in row:
        assert row["total_period"] == row["period"] + sum(inner["total_period"] for inner in inside), row
        assert row["total_samples"] == row["samples"] + sum(inner["total_samples"] for inner in inside), row
    else:
        assert row["total_period"] == sum(inner["total_period"] for inner in inside), row
report, chains = json.load(open("out")), 0
for event in report["events"]:
    assert sum(row["period"] for row in event["rows"]) == event["period"] > 0
    assert sum(row["samples"] for row in event["rows"]) == event["samples"] > 0
    for row in event["rows"]:
        check_frames(row)
        chains += len(row.get("inside", []))
        assert abs(row["children"] - 100 * row["total_period"] / event["period"]) < 0.006
        assert abs(row["self"] - 100 * row["period"] / event["period"]) < 0.006
assert chains > 50 and report["events"][1]["leader"] == report["events"][0]["event"] == "cycles"
assert report["headers"]["hostname"] == "guest" and report["losses"]["kept"] == 400
assert report["stack_health"]["stacks"] == 400
END
report plain.data
check "$PYTHON" sums.py
report plain.data --hierarchy -s comm,sym -g none
check "$PYTHON" -c '
import json
for event in json.load(open("out"))["events"]:
    for level in event["rows"]:
        assert level["period"] == sum(row["period"] for row in level["inside"]) > 0
        assert set(level["inside"][0]) >= {"symbol", "mode"} and "symbol" not in level
'

step "the rows are those of the table"
perf report --stdio --no-group --kallsyms symbols -g none -s comm,sym -n -i plain.data
awk '/^ .*%/ { print $1, $2, $3, $4, $6 }' out > table
report plain.data -g none -s comm,sym
"$PYTHON" -c '
import json
for event in json.load(open("out"))["events"]:
    for row in event["rows"]:
        print("%.2f%% %.2f%% %d %s %s" % (row["children"], row["self"], row["samples"], row["comm"], row["symbol"]))
' > rows
check [ "$(wc -l < rows)" -gt 20 ]
check diff table rows

step "names keep every byte that is text"
cp plain.data odd.data
"$PYTHON" - << 'END'
data = open("odd.data", "rb").read()
assert b"second\0" in data
open("odd.data", "wb").write(data.replace(b"second\0", b"s\"\\\x1b\xc3\xa9\0"))
END
report odd.data -s comm -g none
check "$PYTHON" -c '
import json
names = {row["comm"] for event in json.load(open("out"))["events"] for row in event["rows"]}
assert "s\"\\\x1b\u00e9" in names, names
'

step "without chains, and without samples"
report memory.data
check "$PYTHON" -c 'import json; assert json.load(open("out"))["stack_health"] is None'
report plain.data --time 1,2
check "$PYTHON" -c 'import json; assert json.load(open("out"))["events"] == []'
finish
