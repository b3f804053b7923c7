/** Steps of `../migrations.ts`: metrics that the gateway reads, and markers of charts. */

export const samples: readonly string[] = [
  // Metrics that were read: see `sampling/sharedSamples.ts`. The revision is that of the connection.
  `CREATE TABLE samplings (
    connection_id TEXT NOT NULL,
    revision TEXT NOT NULL,
    begun_at INTEGER NOT NULL,
    PRIMARY KEY (connection_id, revision)
  )`,
  `CREATE TABLE samples (
    connection_id TEXT NOT NULL,
    revision TEXT NOT NULL,
    at INTEGER NOT NULL,
    pace INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (connection_id, revision, at)
  )`,
  'CREATE INDEX samples_by_time ON samples (at)',
]

export const markers: readonly string[] = [
  // Deployments that release pipelines reported: see `markers/reportedMarkers.ts`.
  `CREATE TABLE markers (
    connection_id TEXT NOT NULL,
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    title TEXT NOT NULL,
    service TEXT,
    version TEXT,
    text TEXT,
    url TEXT,
    actor TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (connection_id, id)
  )`,
  'CREATE INDEX markers_by_time ON markers (connection_id, at)',
  'CREATE INDEX markers_by_creation ON markers (connection_id, created_at)',
  // Versions that appeared in telemetry, and the range that was looked at: see `markers/foundDeployments.ts`.
  `CREATE TABLE found_versions (
    connection_id TEXT NOT NULL,
    deployment TEXT NOT NULL,
    service TEXT NOT NULL,
    version TEXT NOT NULL,
    first_at TEXT NOT NULL,
    is_new INTEGER NOT NULL,
    PRIMARY KEY (connection_id, deployment, service, version)
  )`,
  `CREATE TABLE version_searches (
    connection_id TEXT NOT NULL,
    deployment TEXT NOT NULL,
    from_at TEXT NOT NULL,
    to_at TEXT NOT NULL,
    PRIMARY KEY (connection_id, deployment)
  )`,
]

export const serviceLoads: readonly string[] = [
  // Bytes that services used in five minutes each: see `sampling/serviceLoads.ts`.
  `CREATE TABLE service_loads (
    connection_id TEXT NOT NULL,
    revision TEXT NOT NULL,
    service_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    low INTEGER NOT NULL,
    high INTEGER NOT NULL,
    total INTEGER NOT NULL,
    measurements INTEGER NOT NULL,
    PRIMARY KEY (connection_id, revision, service_id, at)
  )`,
  'CREATE INDEX service_loads_by_time ON service_loads (at)',
]

/**
 * The load of pipes and services by hour and size, see `sampling/sizeLoads.ts`, and what was expected of a chosen size, see
 * `sampling/sizePredictions.ts`. -1 is a value that is not known.
 */
export const sizeLoads: readonly string[] = [
  `CREATE TABLE size_loads (
    connection_id TEXT NOT NULL,
    revision TEXT NOT NULL,
    resource TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    cpu_limit INTEGER NOT NULL,
    memory_limit INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    seconds INTEGER NOT NULL,
    cpu_high INTEGER NOT NULL,
    memory_high INTEGER NOT NULL,
    PRIMARY KEY (connection_id, revision, resource, resource_id, at, cpu_limit, memory_limit)
  )`,
  'CREATE INDEX size_loads_by_time ON size_loads (at)',
  `CREATE TABLE size_predictions (
    connection_id TEXT NOT NULL,
    resource TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    cpu_limit INTEGER NOT NULL,
    cpu_low INTEGER NOT NULL,
    cpu_high INTEGER NOT NULL,
    memory_limit INTEGER NOT NULL,
    memory_low INTEGER NOT NULL,
    memory_high INTEGER NOT NULL,
    PRIMARY KEY (connection_id, resource, resource_id)
  )`,
]
