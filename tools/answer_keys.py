"""Makes the reference page of the keys of all JSON answers from the schemas that `weft schema` prints."""

import json
import textwrap

SHARED_BY = 3  # A key that so many commands have with one description is described once.
TYPES = {"string": "text", "boolean": "true or false", "integer": "integer", "number": "number", "array": "list",
         "object": "object", "null": "null"}


def type_of(schema):
    """Returns the type in words: "list of integer", "exact number or null"."""
    if "anyOf" in schema:  # one item, or a list of items
        return " or ".join(type_of(each) for each in schema["anyOf"])
    if "type" not in schema:
        return "any"
    named = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    names = ["exact number" if name == "string" and "pattern" in schema else TYPES[name] for name in named]
    if named[0] == "array":
        names[0] = "list of " + type_of(schema["items"])
    elif isinstance(schema.get("additionalProperties"), dict):
        names[0] = type_of(schema["additionalProperties"]) + ", by name"
    return " or ".join(names)


def inner_of(schema):
    """Returns (what to add to the path, the schema of an object inside), or None."""
    if "properties" in schema:
        return "", schema
    if "items" in schema:
        found = inner_of(schema["items"])
        return found and ("[]" + found[0], found[1])
    if isinstance(schema.get("additionalProperties"), dict):
        found = inner_of(schema["additionalProperties"])
        return found and (".NAME" + found[0], found[1])
    return None


def rows_of(schema, before=""):
    """Returns (path, type, description) of each key of an object, and of the objects inside."""
    rows = []
    for key, value in schema["properties"].items():
        optional = "" if key in schema.get("required", []) else ", optional"
        rows.append((before + key, type_of(value) + optional, value.get("description", "")))
        inner = inner_of(value)
        if inner:
            rows += rows_of(inner[1], f"{before}{key}{inner[0]}.")
    return rows


def shapes_of(schema):
    """Returns (title, schema) of each shape of an answer."""
    if "anyOf" in schema:
        return [(shape.get("title", ""), shape) for shape in schema["anyOf"]]
    return [("", schema)]


def schemas_of(program):
    """Returns {command: shapes} of the commands that have a schema, in the order of the help."""
    schemas = {}
    for name, _ in program.commands():
        ran = program.run("schema", name)
        if ran.returncode == 0:
            schemas[name] = shapes_of(json.loads(ran.stdout))
    return schemas


def shared_keys(schemas):
    """Returns {key: schema} of the keys that many commands have with one description."""
    counts = {}
    for shapes in schemas.values():
        keys = {(key, json.dumps(value)) for _, shape in shapes for key, value in shape["properties"].items()}
        for each in keys:
            counts[each] = counts.get(each, 0) + 1
    shared = {}
    for shapes in schemas.values():
        for _, shape in shapes:
            for key, value in shape["properties"].items():
                if counts[key, json.dumps(value)] >= SHARED_BY and key not in shared:
                    shared[key] = value
    return shared


def answer_keys_page(program, page, table, code, plain):
    schemas = schemas_of(program)
    shared = shared_keys(schemas)

    shapes = [shape for each in schemas.values() for _, shape in each]
    required = [key for key in shared if all(key in shape["required"] for shape in shapes if key in shape["properties"])]

    def keys_table(schema):
        return table(["key", "type", "meaning"], [[code(path), kind, plain(text)] for path, kind, text in rows_of(schema)])

    parts = []
    for name, shapes in schemas.items():
        parts.append([f"## weft {name}", ""])
        for title, shape in shapes:
            common = [key for key, value in shape["properties"].items() if shared.get(key) == value]
            own = {key: value for key, value in shape["properties"].items() if key not in common}
            lines = [f"### {title[0].upper()}{title[1:]}", ""] if title else []
            lines += [*textwrap.wrap("Shared keys: " + ", ".join(code(key) for key in common) + ".", 200, break_on_hyphens=False), ""] if common else []
            parts.append(lines + (keys_table({**shape, "properties": own}) if own else []))
    return page("Keys of JSON answers",
                "For readers who write scripts around weft: every key of the answers that `--json` prints. "
                "[JSON answers](answers.md) explains types and exit codes.\n`rows[].size` is the key `size` of each "
                "object in the list `rows`.",
                ["## Shared keys", "", "Several commands have these keys. An optional key is absent where it has no "
                 "meaning.", ""],
                keys_table({"properties": shared, "required": required}), *parts)
