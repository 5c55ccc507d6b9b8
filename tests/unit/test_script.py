"""The commands that ``go list -n`` prints, from logs of two releases, shortened."""

from __future__ import annotations

from escapelens.golang.script import read_script

# Go 1.26: the folder is made before the banner; a path with a space is quoted, ``cd`` is not.
NEWER = """mkdir -p $WORK/b001/

#
# example.com/m
#

echo -n > $WORK/b001/go_asm.h # internal
cd /src/with space/m
/go/tool/asm -p example.com/m -I $WORK/b001/ -gensymabis -o $WORK/b001/symabis ./a.s
cat >$WORK/b001/importcfg << 'EOF' # internal
# import config
packagefile fmt=/cache/aa-d
EOF
/go/tool/compile -o $WORK/b001/_pkg_.a -trimpath "$WORK/b001=>" -p example.com/m -symabis $WORK/b001/symabis -importcfg $WORK/b001/importcfg -pack "/src/with space/m/a.go"
go tool buildid -w $WORK/b001/_pkg_.a # internal
example.com/m
"""  # fmt: skip
# Go 1.21: one line is written by echo; a test variant's name.
OLDER = """
#
# example.com/m [example.com/m.test]
#

mkdir -p $WORK/b002/
echo '# import config' > $WORK/b002/importcfg # internal
cd /src/m
/go/tool/compile -o $WORK/b002/_pkg_.a -p example.com/m -importcfg $WORK/b002/importcfg -pack ./a.go ./a_test.go
"""


def test_a_compile_and_what_makes_its_input() -> None:
    script = read_script(NEWER)
    (compile_,) = script.compiles["example.com/m"]
    assert compile_.tool == "compile" and compile_.words[-1] == "/src/with space/m/a.go"
    assert compile_.cwd == "/src/with space/m" and compile_.value("-trimpath") == "$WORK/b001=>"
    assert script.files == {
        "$WORK/b001/go_asm.h": "",
        "$WORK/b001/importcfg": "# import config\npackagefile fmt=/cache/aa-d\n",
    }
    assert script.makers["$WORK/b001/symabis"].tool == "asm"


def test_older_releases_and_variants() -> None:
    script = read_script(OLDER)
    assert list(script.compiles) == ["example.com/m [example.com/m.test]"]
    assert script.files == {"$WORK/b002/importcfg": "# import config\n"}


def test_what_is_no_command_makes_nothing() -> None:
    script = read_script("go: warning\n'unfinished\n\n#\n# p\n#\n\ngcc -c x.c || true\n")
    assert not script.compiles and not script.makers and not script.files
