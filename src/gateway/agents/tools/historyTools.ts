/** Tools that read what changed, what differs, and what became of proposals. */
import { z } from 'zod'
import { changeRequestPaths } from '#contract/console/changeRequestPaths.ts'
import { environmentPaths, historyPaths } from '#contract/console/environmentPaths.ts'
import { historyResources } from '#contract/stack/recordKinds.ts'
import { fillPath, pathId } from '#contract/wire/kernel.ts'
import { diff } from '#domain/json/diff.ts'
import { connection, isoTime, timeRange, tool } from './tool.ts'

const version = z
  .string()
  .regex(/^[\w-]{20,60}$/, 'must be the ID of a version, from list_changes')
  .describe('ID of a version: before or after of a change.')
const document = z.looseObject({ document: z.unknown() })
const items = z.looseObject({ items: z.array(z.looseObject({})), hasMore: z.boolean() })

export const historyTools = [
  tool({
    name: 'list_changes',
    kind: 'read',
    title: 'List changes',
    description:
      'Lists changes of records, newest first: who changed what and when, here or outside of this console, with the IDs of the versions before and after.',
    input: z.strictObject({
      connection,
      ...timeRange('now-7d'),
      kind: z.enum(historyResources).optional(),
      recordId: pathId.optional().describe('Only of this record.'),
      limit: z.int().min(1).max(100).default(20),
    }),
    run: async (gateway, { connection: id, from, to, ...query }) => {
      const path = fillPath(historyPaths.changes, { connectionId: id })
      const page = await gateway.get(items, path, { ...query, from: isoTime(from), to: isoTime(to), made: '1' })
      return { changes: page.items, hasMore: page.hasMore }
    },
  }),
  tool({
    name: 'compare_versions',
    kind: 'read',
    title: 'Compare two versions of a record',
    description:
      'Shows the fields that differ between two versions of a record, from list_changes. Secrets are masked.',
    input: z.strictObject({ connection, before: version, after: version }),
    run: async (gateway, { connection: id, before, after }) => {
      const read = (version: string) =>
        gateway.get(document, fillPath(historyPaths.recordVersion, { connectionId: id, version: version }))
      const [old, now] = [await read(before), await read(after)]
      return { differences: diff(old.document, now.document) }
    },
  }),
  tool({
    name: 'compare_connections',
    kind: 'read',
    title: 'Compare two connections',
    description: 'Shows which dashboards, alerts, saved searches, sources and webhooks differ between two connections.',
    input: z.strictObject({
      connection,
      baseline: connection.describe('ID of the connection that it is compared with.'),
    }),
    run: (gateway, { connection: id, baseline }) =>
      gateway.get(z.unknown(), fillPath(environmentPaths.comparison, { connectionId: id }), { baseline }),
  }),
  tool({
    name: 'list_proposals',
    kind: 'read',
    title: 'List change requests',
    description:
      'Lists the change requests of this person, newest first, with their state: what was proposed and what became of it.',
    input: z.strictObject({ connection: connection.optional(), limit: z.int().min(1).max(50).default(20) }),
    run: (gateway, { connection: connectionId, limit }) =>
      gateway.get(items, changeRequestPaths.changeRequests, { connectionId, limit, who: 'mine' }),
  }),
  tool({
    name: 'read_proposal',
    kind: 'read',
    title: 'Read a change request',
    description:
      'Reads one change request: its plan with the fields that would change, comments, decision and outcome. Only people decide about it.',
    input: z.strictObject({
      id: pathId.describe('ID of a change request, from list_proposals or the tool that opened it.'),
    }),
    run: (gateway, { id }) => gateway.get(z.unknown(), fillPath(changeRequestPaths.changeRequest, { requestId: id })),
  }),
]
