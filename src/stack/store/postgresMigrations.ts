/**
 * The tables of `migrations.ts` on a PostgreSQL server, as steps that are applied once and never edited. Each step there
 * needs one here. Texts sort by bytes, as in SQLite. Names of dashboards may be too long for an index.
 */
export const postgresMigrations: readonly string[] = [
  `
  CREATE TABLE dashboards (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT COLLATE "C" NOT NULL, document TEXT NOT NULL);
  CREATE TABLE alerts (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, dashboard_id TEXT, tile_id TEXT, document TEXT NOT NULL, webhook_id TEXT
  );
  CREATE INDEX alerts_by_tile ON alerts (dashboard_id, tile_id);
  CREATE INDEX alerts_by_webhook ON alerts (webhook_id);
  CREATE TABLE sources (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
  CREATE TABLE webhooks (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL, sealed TEXT);
  CREATE TABLE organizations (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
  CREATE TABLE services (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE pipes (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, service_id TEXT NOT NULL, document TEXT NOT NULL, sealed TEXT);
  CREATE INDEX pipes_by_service ON pipes (service_id, seq);
  CREATE TABLE pipe_loads (id BIGINT PRIMARY KEY, pipe_id TEXT NOT NULL, target_database TEXT NOT NULL, target_table TEXT NOT NULL, bytes BIGINT NOT NULL);
  CREATE TABLE pipe_files (pipe_id TEXT NOT NULL, path TEXT COLLATE "C" NOT NULL, load_id BIGINT NOT NULL, error TEXT, PRIMARY KEY (pipe_id, path));
  CREATE INDEX pipe_files_by_load ON pipe_files (load_id);
  CREATE INDEX pipe_files_failed ON pipe_files (pipe_id, path) WHERE error IS NOT NULL;
  CREATE TABLE pipe_cursors (pipe_id TEXT NOT NULL, source TEXT NOT NULL, cursor TEXT, PRIMARY KEY (pipe_id, source));
  CREATE TABLE pipe_errors (pipe_id TEXT PRIMARY KEY, errors BIGINT NOT NULL);
  CREATE TABLE pipe_totals (
    pipe_id TEXT NOT NULL, target_database TEXT NOT NULL, target_table TEXT NOT NULL, rows BIGINT NOT NULL, bytes BIGINT NOT NULL,
    PRIMARY KEY (pipe_id, target_database, target_table)
  );
  CREATE TABLE pipe_load_ranges (first BIGINT PRIMARY KEY, size BIGINT NOT NULL, used BIGINT NOT NULL, pipe_id TEXT NOT NULL);
  CREATE INDEX pipe_load_ranges_by_pipe ON pipe_load_ranges (pipe_id);
  `,
  `
  CREATE TABLE saved_searches (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
  ALTER TABLE alerts ADD COLUMN saved_search_id TEXT;
  CREATE INDEX alerts_by_saved_search ON alerts (saved_search_id);
  `,
  `
  CREATE TABLE alert_cursors (alert_id TEXT PRIMARY KEY, done BIGINT, muted BIGINT NOT NULL, group_states TEXT NOT NULL);
  CREATE TABLE alert_evaluations (
    alert_id TEXT NOT NULL, ended BIGINT NOT NULL, started BIGINT NOT NULL, state TEXT NOT NULL, counts BIGINT NOT NULL,
    value DOUBLE PRECISION, no_rows BIGINT NOT NULL, detail TEXT, PRIMARY KEY (alert_id, ended)
  );
  CREATE INDEX alert_evaluations_by_end ON alert_evaluations (ended);
  CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, expires BIGINT NOT NULL);
  `,
  `
  CREATE TABLE alert_deliveries (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, idempotency_key TEXT NOT NULL UNIQUE, alert_id TEXT NOT NULL,
    state TEXT NOT NULL, group_key TEXT, event TEXT NOT NULL, created_at BIGINT NOT NULL, document TEXT NOT NULL
  );
  CREATE INDEX alert_deliveries_by_alert ON alert_deliveries (alert_id, seq);
  CREATE INDEX alert_deliveries_by_age ON alert_deliveries (created_at);
  CREATE TABLE alert_summaries (alert_id TEXT PRIMARY KEY, all_groups TEXT NOT NULL, open_groups TEXT NOT NULL);
  CREATE TABLE alert_outbox (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, idempotency_key TEXT NOT NULL UNIQUE, delivery_id TEXT, event_id TEXT NOT NULL, webhook_id TEXT,
    alert TEXT NOT NULL, event TEXT NOT NULL, attempts BIGINT NOT NULL DEFAULT 0, created_at BIGINT NOT NULL, due_at BIGINT NOT NULL,
    claimed_until BIGINT NOT NULL DEFAULT 0
  );
  CREATE INDEX alert_outbox_by_time ON alert_outbox (due_at);
  CREATE INDEX alert_outbox_by_event ON alert_outbox (event_id, seq);
  `,
  `
  CREATE TABLE alert_passes (name TEXT PRIMARY KEY, due BIGINT NOT NULL, ended BIGINT NOT NULL);
  `,
  `
  CREATE TABLE members (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, email TEXT NOT NULL UNIQUE, key_digest TEXT NOT NULL UNIQUE,
    document TEXT NOT NULL, sealed TEXT
  );
  CREATE TABLE invitations (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, email TEXT NOT NULL UNIQUE, token_digest TEXT NOT NULL UNIQUE,
    document TEXT NOT NULL, sealed TEXT
  );
  ALTER TABLE alerts ADD COLUMN created_by TEXT;
  CREATE INDEX alerts_by_author ON alerts (created_by);
  `,
  `
  CREATE TABLE api_keys (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, key_id_hash TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
  CREATE TABLE api_key_uses (key_id TEXT PRIMARY KEY, used_at BIGINT NOT NULL);
  CREATE TABLE organization_roles (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
  CREATE TABLE organization_members (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
  CREATE TABLE organization_invitations (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
  CREATE TABLE activities (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, created_at BIGINT NOT NULL, document TEXT NOT NULL);
  CREATE INDEX activities_by_time ON activities (created_at);
  `,
  `
  CREATE TABLE service_backups (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, service_id TEXT NOT NULL, document TEXT NOT NULL);
  CREATE INDEX service_backups_by_service ON service_backups (service_id, seq);
  `,
  `
  ALTER TABLE services ADD COLUMN sealed TEXT;
  `,
  `
  ALTER TABLE pipe_totals ADD COLUMN read_records BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE pipe_totals ADD COLUMN read_bytes BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE pipe_totals ADD COLUMN sent_bytes BIGINT NOT NULL DEFAULT 0;
  `,
  `
  ALTER TABLE pipe_errors ADD COLUMN bad_records BIGINT NOT NULL DEFAULT 0;
  `,
  `
  CREATE TABLE stacks (id TEXT PRIMARY KEY, beat BIGINT NOT NULL, place TEXT NOT NULL, engine TEXT NOT NULL);
  CREATE TABLE task_leases (task TEXT PRIMARY KEY, stack_id TEXT NOT NULL);
  `,
  `
  CREATE TABLE store_identity (id TEXT PRIMARY KEY, sequence BIGINT NOT NULL);
  `,
  `
  ALTER TABLE alert_cursors ADD COLUMN set_backs BIGINT NOT NULL DEFAULT 0;
  `,
  `
  ALTER TABLE alert_outbox ADD COLUMN unfinished INTEGER NOT NULL DEFAULT 0;
  `,
  `
  CREATE TABLE pipe_null_values (pipe_id TEXT NOT NULL, field TEXT NOT NULL, count BIGINT NOT NULL, PRIMARY KEY (pipe_id, field));
  `,
]
