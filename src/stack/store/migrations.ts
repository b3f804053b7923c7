/**
 * The store's tables, as steps that are applied once and never changed afterwards: add a step, do not edit one.
 * Resources are kept as the JSON text that answers carry, beside the columns that queries need; `seq` is the order of creation.
 */
export const migrations: readonly string[] = [
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
]
