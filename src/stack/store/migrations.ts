/**
 * The tables of the stack's records. Records are stored as JSON text, with the columns that queries need. `seq` is the order of
 * creation, and `sealed` contains the encrypted parts of a document (`sealedParts.ts`).
 */
import type { Migrations } from '#node/database/migrations.ts'

export const migrations: Migrations = {
  file: [
    `
    CREATE TABLE dashboards (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, document TEXT NOT NULL);
    CREATE INDEX dashboards_by_name ON dashboards (name DESC, seq);
    CREATE TABLE alerts (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, dashboard_id TEXT, tile_id TEXT, document TEXT NOT NULL);
    CREATE INDEX alerts_by_tile ON alerts (dashboard_id, tile_id);
    CREATE TABLE sources (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
    CREATE TABLE webhooks (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
    CREATE TABLE organizations (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
    CREATE TABLE services (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    `,
    `
    CREATE TABLE pipes (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, service_id TEXT NOT NULL, document TEXT NOT NULL);
    CREATE INDEX pipes_by_service ON pipes (service_id, seq);
    CREATE TABLE pipe_loads (
      id INTEGER PRIMARY KEY, pipe_id TEXT NOT NULL, target_database TEXT NOT NULL, target_table TEXT NOT NULL,
      state TEXT NOT NULL, bytes INTEGER NOT NULL, rows INTEGER NOT NULL DEFAULT 0, initial INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX pipe_loads_by_pipe ON pipe_loads (pipe_id, state);
    CREATE TABLE pipe_files (pipe_id TEXT NOT NULL, path TEXT NOT NULL, load_id INTEGER NOT NULL, error TEXT, PRIMARY KEY (pipe_id, path)) WITHOUT ROWID;
    CREATE INDEX pipe_files_by_load ON pipe_files (load_id);
    CREATE TABLE pipe_cursors (pipe_id TEXT NOT NULL, source TEXT NOT NULL, cursor TEXT, PRIMARY KEY (pipe_id, source)) WITHOUT ROWID;
    CREATE TABLE pipe_errors (pipe_id TEXT PRIMARY KEY, errors INTEGER NOT NULL) WITHOUT ROWID;
    `,
    `
    CREATE TABLE pipe_totals (
      pipe_id TEXT NOT NULL, target_database TEXT NOT NULL, target_table TEXT NOT NULL, rows INTEGER NOT NULL, bytes INTEGER NOT NULL,
      PRIMARY KEY (pipe_id, target_database, target_table)
    ) WITHOUT ROWID;
    CREATE TABLE pipe_load_ranges (first INTEGER PRIMARY KEY, size INTEGER NOT NULL, used INTEGER NOT NULL, pipe_id TEXT NOT NULL);
    CREATE INDEX pipe_load_ranges_by_pipe ON pipe_load_ranges (pipe_id);
    INSERT INTO pipe_totals SELECT pipe_id, target_database, target_table, sum(rows), sum(bytes) FROM pipe_loads WHERE state = 'done' GROUP BY 1, 2, 3;
    INSERT INTO pipe_load_ranges SELECT id, 1, 1, pipe_id FROM pipe_loads WHERE state = 'done';
    DELETE FROM pipe_loads WHERE state = 'done';
    DROP INDEX pipe_loads_by_pipe;
    ALTER TABLE pipe_loads DROP COLUMN state;
    ALTER TABLE pipe_loads DROP COLUMN rows;
    ALTER TABLE pipe_loads DROP COLUMN initial;
    CREATE INDEX pipe_files_failed ON pipe_files (pipe_id, path) WHERE error IS NOT NULL;
    `,
    `
    ALTER TABLE alerts ADD COLUMN webhook_id TEXT;
    UPDATE alerts SET webhook_id = json_extract(document, '$.channel.webhookId');
    CREATE INDEX alerts_by_webhook ON alerts (webhook_id);
    ALTER TABLE webhooks ADD COLUMN sealed TEXT;
    ALTER TABLE pipes ADD COLUMN sealed TEXT;
    `,
  ],
  // Names of dashboards may be too long for an index there.
  server: [
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
  ],
  both: [
    `
    CREATE TABLE saved_searches (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
    ALTER TABLE alerts ADD COLUMN saved_search_id TEXT;
    CREATE INDEX alerts_by_saved_search ON alerts (saved_search_id);
    `,
    `
    CREATE TABLE alert_cursors (alert_id TEXT PRIMARY KEY, done INTEGER, muted INTEGER NOT NULL, group_states TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE alert_evaluations (
      alert_id TEXT NOT NULL, ended INTEGER NOT NULL, started INTEGER NOT NULL, state TEXT NOT NULL, counts INTEGER NOT NULL,
      value REAL, no_rows INTEGER NOT NULL, detail TEXT, PRIMARY KEY (alert_id, ended)
    ) WITHOUT ROWID;
    CREATE INDEX alert_evaluations_by_end ON alert_evaluations (ended);
    CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;
    `,
    `
    CREATE TABLE alert_deliveries (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, idempotency_key TEXT NOT NULL UNIQUE, alert_id TEXT NOT NULL,
      state TEXT NOT NULL, group_key TEXT, event TEXT NOT NULL, created_at INTEGER NOT NULL, document TEXT NOT NULL
    );
    CREATE INDEX alert_deliveries_by_alert ON alert_deliveries (alert_id, seq);
    CREATE INDEX alert_deliveries_by_age ON alert_deliveries (created_at);
    CREATE TABLE alert_summaries (alert_id TEXT PRIMARY KEY, all_groups TEXT NOT NULL, open_groups TEXT NOT NULL);
    CREATE TABLE alert_outbox (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, idempotency_key TEXT NOT NULL UNIQUE, delivery_id TEXT, event_id TEXT NOT NULL, webhook_id TEXT,
      alert TEXT NOT NULL, event TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, due_at INTEGER NOT NULL,
      claimed_until INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX alert_outbox_by_time ON alert_outbox (due_at);
    CREATE INDEX alert_outbox_by_event ON alert_outbox (event_id, seq);
    `,
    `
    CREATE TABLE alert_passes (name TEXT PRIMARY KEY, due INTEGER NOT NULL, ended INTEGER NOT NULL) WITHOUT ROWID;
    `,
    `
    CREATE TABLE members (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, email TEXT NOT NULL UNIQUE, key_digest TEXT NOT NULL UNIQUE,
      document TEXT NOT NULL, sealed TEXT
    );
    CREATE TABLE invitations (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, email TEXT NOT NULL UNIQUE, token_digest TEXT NOT NULL UNIQUE,
      document TEXT NOT NULL, sealed TEXT
    );
    ALTER TABLE alerts ADD COLUMN created_by TEXT;
    CREATE INDEX alerts_by_author ON alerts (created_by);
    `,
    `
    CREATE TABLE api_keys (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, key_id_hash TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
    CREATE TABLE api_key_uses (key_id TEXT PRIMARY KEY, used_at INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE organization_roles (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
    CREATE TABLE organization_members (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
    CREATE TABLE organization_invitations (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
    CREATE TABLE activities (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL, document TEXT NOT NULL);
    CREATE INDEX activities_by_time ON activities (created_at);
    `,
    `
    CREATE TABLE service_backups (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, service_id TEXT NOT NULL, document TEXT NOT NULL);
    CREATE INDEX service_backups_by_service ON service_backups (service_id, seq);
    `,
    `
    ALTER TABLE services ADD COLUMN sealed TEXT;
    `,
    `
    ALTER TABLE pipe_totals ADD COLUMN read_records INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE pipe_totals ADD COLUMN read_bytes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE pipe_totals ADD COLUMN sent_bytes INTEGER NOT NULL DEFAULT 0;
    `,
    `
    ALTER TABLE pipe_errors ADD COLUMN bad_records INTEGER NOT NULL DEFAULT 0;
    `,
    `
    CREATE TABLE stacks (id TEXT PRIMARY KEY, beat INTEGER NOT NULL, place TEXT NOT NULL, engine TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE task_leases (task TEXT PRIMARY KEY, stack_id TEXT NOT NULL) WITHOUT ROWID;
    `,
    `
    CREATE TABLE store_identity (id TEXT PRIMARY KEY, sequence INTEGER NOT NULL);
    `,
    `
    ALTER TABLE alert_cursors ADD COLUMN set_backs INTEGER NOT NULL DEFAULT 0;
    `,
    `
    ALTER TABLE alert_outbox ADD COLUMN unfinished INTEGER NOT NULL DEFAULT 0;
    `,
    `
    CREATE TABLE pipe_null_values (pipe_id TEXT NOT NULL, field TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (pipe_id, field)) WITHOUT ROWID;
    `,
  ],
}
