# shellcheck shell=sh disable=SC2034,SC2154
# Makes the demo's repository from data/demo/story with plain git, for tests.
# Sourced; needs $data (the data folder) and git.  Nothing of the person's own
# configuration is read.

story=$data/demo/story
runs=$data/demo/runs
GIT_CONFIG_GLOBAL=/dev/null
GIT_CONFIG_NOSYSTEM=1
TZ=UTC
PYTHONDONTWRITEBYTECODE=1
export GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM TZ PYTHONDONTWRITEBYTECODE
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

# get FILE KEY: the value, or nothing.
get() {
	git config -f "$1" --get "$2" || true
}

# names FILE SECTION KEY: the subsections that have that key, in file order.
names() {
	git config -f "$1" --name-only --get-regexp "^$2\\..*\\.$3\$" |
		sed "s/^$2\\.//; s/\\.$3\$//"
}

# lay FOLDER: puts every file below it into the index.
lay() {
	(cd "$1" && find . -type f ! -name '*.pyc' | sed 's,^\./,,' | LC_ALL=C sort) |
		while IFS= read -r path; do
			blob=$(git hash-object -w --no-filters "$1/$path")
			git update-index --add --cacheinfo "100644,$blob,$path"
		done
}

# make_commit KEY MESSAGE-NAME: one commit of the story, in the current folder.
make_commit() {
	folder=$data/demo/$(get "$story" "commit.$1.folder")
	parent=$(get "$story" "commit.$1.parent")
	author=$(get "$story" "commit.$1.author")
	date=$(get "$story" "commit.$1.date")
	tag=$(get "$story" "commit.$1.tag")
	git read-tree --empty
	[ -z "$parent" ] || git read-tree "refs/story/$parent"
	git config -f "$story" --get-all "commit.$1.remove" | while IFS= read -r path; do
		git update-index --force-remove "$path"
	done
	lay "$folder/tree"
	GIT_AUTHOR_NAME=$(get "$story" "person.$author.name")
	GIT_AUTHOR_EMAIL=$(get "$story" "person.$author.email")
	GIT_AUTHOR_DATE=$date
	GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME
	GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
	GIT_COMMITTER_DATE=$date
	export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE
	export GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE
	commit=$(git commit-tree ${parent:+-p "refs/story/$parent"} \
		-F "$folder/$2" "$(git write-tree)")
	git update-ref "refs/story/$1" "$commit"
	git update-ref "refs/heads/$(get "$story" "commit.$1.branch")" "$commit"
	[ -z "$tag" ] || git update-ref "refs/tags/$tag" "$commit"
}

# make_demo FOLDER MESSAGE-NAME: the whole repository.  Each commit is also
# found as refs/story/KEY.
make_demo() {
	git init -q -b "$(get "$story" demo.branch)" "$1"
	(
		cd "$1" || exit 1
		for key in $(names "$story" commit folder); do
			make_commit "$key" "$2"
		done
		git reset -q --hard
	)
}

# TAP: ok TEXT COMMAND...; the command tells.  The plan comes at the end.
tap_count=0
tap_failed=0
ok() {
	tap_text=$1
	shift
	tap_count=$((tap_count + 1))
	if "$@"; then
		echo "ok $tap_count - $tap_text"
	else
		echo "not ok $tap_count - $tap_text"
		tap_failed=1
	fi
}

# is GOT WANTED: equal, or says what it got.
is() {
	[ "$1" = "$2" ] && return 0
	printf '# got:    %s\n# wanted: %s\n' "$1" "$2"
	return 1
}

finish() {
	echo "1..$tap_count"
	exit "$tap_failed"
}
