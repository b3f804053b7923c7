/** Tools that read connections and their records. */
import { z } from 'zod'
import { connection as connectionSchema, gatewayPaths } from '#contract/console/connections.ts'
import { api } from '#contract/index.ts'
import { connection, idOf, tool } from './tool.ts'

const inConnection = z.strictObject({ connection })

export const recordTools = [
  tool({
    name: 'list_connections',
    kind: 'read',
    title: 'List connections',
    description:
      'Lists the deployments that this token sees, with the ID that other tools need, the stage, the role of the token, and whether changes wait for approval. Call it first.',
    input: z.strictObject({}),
    run: async (gateway) => {
      const all = await gateway.get(z.array(connectionSchema), gatewayPaths.connections)
      return all.map(
        ({ id, name, variant, stage, readOnly, twoPersonApproval, serviceId, role = 'administrator' }) => ({
          id,
          name,
          // Logs, traces, charts and alerts are read through the open-source variant; services and pipes through the managed one.
          variant,
          stage,
          role,
          isReadOnly: readOnly,
          needsSecondPerson: twoPersonApproval === true,
          ...(serviceId !== undefined && { serviceId }),
        }),
      )
    },
  }),
  tool({
    name: 'list_dashboards',
    kind: 'read',
    title: 'List dashboards',
    description: 'Lists the dashboards of a connection: ID, name, tags and number of tiles.',
    input: inConnection,
    run: async (gateway, input) => {
      const all = await gateway.read(input.connection, api.dashboards.list, {})
      return all.map(({ id, name, tags, tiles }) => ({ id, name, tags, tiles: tiles.length }))
    },
  }),
  tool({
    name: 'read_dashboard',
    kind: 'read',
    title: 'Read a dashboard',
    description:
      'Reads one dashboard with all of its tiles and filters, as update_dashboard takes them, and its revision. The grid has 24 columns.',
    input: z.strictObject({ connection, dashboardId: idOf('dashboard', 'list_dashboards') }),
    run: (gateway, { connection: id, dashboardId }) =>
      gateway.readRecord(id, api.dashboards.get, { params: { dashboardId } }),
  }),
  tool({
    name: 'list_sources',
    kind: 'read',
    title: 'List data sources',
    description:
      'Lists the sources of logs, traces and metrics with their IDs, tables and columns, which search_rows, query_chart and read_trace need. Disabled sources have no data.',
    input: inConnection,
    run: async (gateway, input) => gateway.read(input.connection, api.sources.list, {}),
  }),
  tool({
    name: 'list_metrics',
    kind: 'read',
    title: 'List metrics',
    description:
      'Lists the metrics of a metric source: name, type and unit, for query_chart. Not every deployment offers it.',
    input: z.strictObject({ connection, sourceId: idOf('metric source', 'list_sources') }),
    isTelemetry: true,
    run: (gateway, { connection: id, sourceId }) => gateway.read(id, api.sources.metricNames, { params: { sourceId } }),
  }),
  tool({
    name: 'list_saved_searches',
    kind: 'read',
    title: 'List saved searches',
    description: 'Lists the saved searches of a connection, which alerts can watch.',
    input: inConnection,
    run: async (gateway, input) => gateway.read(input.connection, api.savedSearches.list, {}),
  }),
  tool({
    name: 'list_webhooks',
    kind: 'read',
    title: 'List webhooks',
    description: 'Lists the webhooks that alerts can notify: ID, name and service. Their addresses are left out.',
    input: inConnection,
    run: async (gateway, input) => {
      const all = await gateway.read(input.connection, api.webhooks.list, {})
      return all.map(({ id, name, service }) => ({ id, name, service }))
    },
  }),
]
