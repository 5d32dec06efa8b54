#compdef perf
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of perf for zsh. perf itself knows the answers: `perf --complete WORD...`
# (ui/options/complete.h).
local -a typed answers joined more shown_joined shown_more
local answer word help
typed=(${(Q)words[2,CURRENT-1]} "${(Q)PREFIX}")
answers=(${(f)"$(${(Q)~words[1]} --complete "${typed[@]}" 2> /dev/null)"})
for answer in $answers; do
	case $answer in
	(:command\ *)
		compadd -l -d shown_more -a more
		shift $((CURRENT - ${answer#:command })) words
		CURRENT=${answer#:command }
		_normal
		return
		;;
	(:files\ *) compset -P "${(b)answer#:files }"; _files; return ;;
	(:dirs\ *) compset -P "${(b)answer#:dirs }"; _files -/; return ;;
	esac
	word=${answer%%$'\t'*} help=${answer#*$'\t'}
	case $word in
	(*[:/=,]) joined+=("$word") shown_joined+=("$word${help:+  -- $help}") ;;
	(*) more+=("$word") shown_more+=("$word${help:+  -- $help}") ;;
	esac
done
compadd -l -d shown_more -a more
compadd -l -S '' -d shown_joined -a joined
