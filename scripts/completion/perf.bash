# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Completion of perf for bash. perf itself knows the answers: `perf --complete WORD...`
# (ui/options/complete.h). Here the words are put together again that bash takes apart at ':' and '=', and
# the answers are cut to what bash wants to replace.
_perf() {
	local cur line=${COMP_LINE:0:COMP_POINT} words=() starts=() i word blank answer lines=() head cut
	for ((i = 0; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		blank=${line%%[^[:space:]]*}
		line=${line#"$blank"}
		[[ $i -lt $COMP_CWORD ]] || word=$line # only up to the cursor
		line=${line#"$word"}
		if [[ $i -gt 0 && -z $blank ]]; then
			words[-1]+=$word
		else
			words+=("$word") starts+=("$i")
		fi
	done
	cur=${words[-1]}
	cut=${cur%"${cur##*[:=]}"}
	case $cur in
	[\"\']*) cut='' words[-1]=${cur:1} ;;
	esac
	COMPREPLY=()
	mapfile -t lines < <("${1/#\~\//$HOME/}" --complete "${words[@]:1}" 2> /dev/null)
	for answer in "${lines[@]}"; do
		word=${answer%%$'\t'*}
		head=${answer#:* }
		case $answer in
		:command\ *)
			i=${starts[${#words[@]} - ${answer#:command }]}
			words=("${COMPREPLY[@]}") COMPREPLY=()
			if declare -F _command_offset > /dev/null; then
				_command_offset "$i"
			else
				[[ $i -lt $COMP_CWORD ]] && answer=-f || answer=-c
				mapfile -t COMPREPLY < <(compgen "$answer" -- "$cur")
			fi
			COMPREPLY+=("${words[@]}")
			return
			;;
		:files\ *) mapfile -t COMPREPLY < <(compgen -f -P "${head#"$cut"}" -- "${words[-1]#"$head"}") ;;
		:dirs\ *) mapfile -t COMPREPLY < <(compgen -d -P "${head#"$cut"}" -- "${words[-1]#"$head"}") ;;
		*)
			COMPREPLY+=("${word#"$cut"}")
			[[ $word != *[:/=,] ]] || compopt -o nospace 2> /dev/null
			continue
			;;
		esac
		compopt -o filenames 2> /dev/null
	done
}
complete -F _perf perf
