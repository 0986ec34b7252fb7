-- Every supplier's documents have a folder of their own (§2.1). A root of '' was the whole bucket: an importer could name, and
-- attach, the documents of other organisations. Suppliers without a root get their code; the changelog tells what to do with
-- documents that lie at the top of the bucket. What cannot be read as JSON is left alone: until an operator gives its settings
-- anew, nothing is looked up for it.
CREATE TABLE given_roots (
  supplier_id INTEGER PRIMARY KEY,
  root TEXT NOT NULL
) STRICT;

-- Where the code cannot be a folder apart from those of other organisations (a backslash, letters that have several forms, a root
-- of another organisation that is, holds or lies in it), organisation and id name one.
INSERT INTO given_roots (supplier_id, root)
WITH roots AS (
  SELECT id, organisation_id, code, trim(coalesce(configuration ->> 'documents_root', ''), '/') AS root
  FROM (SELECT id, organisation_id, code, iif(json_valid(configuration), configuration, '{"documents_root": "?"}') AS configuration FROM suppliers))
SELECT id, iif(
  code NOT GLOB '*[^ -~]*' AND instr(code, '\') = 0 AND NOT EXISTS (
    SELECT 1 FROM roots AS other WHERE other.organisation_id <> roots.organisation_id AND other.root <> ''
      AND (substr(other.root || '/', 1, length(roots.code) + 1) = roots.code || '/'
        OR substr(roots.code || '/', 1, length(other.root) + 1) = other.root || '/')),
  code, organisation_id || '/' || id)
FROM roots WHERE root = '';

-- Who looks for the reason finds it in the audit log.
INSERT INTO audit_entries (id, occurred_at, actor, action, subject, before, after)
SELECT unixepoch() * 4096000 + s.id % 4096, unixepoch() * 1000, 'migration', 'supplier.changed', 'supplier ' || s.code,
  json_object('documents_root', ''), json_object('documents_root', g.root)
FROM given_roots AS g CROSS JOIN suppliers AS s ON s.id = g.supplier_id
WHERE true ON CONFLICT (id) DO NOTHING;

-- Another version: nothing may be stored on what was read before.
UPDATE suppliers SET configuration = json_set(suppliers.configuration, '$.documents_root', g.root), version = version + 1
FROM given_roots AS g WHERE suppliers.id = g.supplier_id;

DROP TABLE given_roots;
