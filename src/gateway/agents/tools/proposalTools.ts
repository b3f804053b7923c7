/** Tools that ask for changes. A person approves them, unless the connection allows the tool: `approvals/twoPersonApproval.ts`. */
import { z } from 'zod'
import { alertInput } from '#contract/stack/alerts.ts'
import { formatBound, pipeScalingBounds, replicaScalingBounds, type Bound } from '#contract/cloud/bounds.ts'
import { dashboardInput } from '#contract/stack/dashboards/dashboards.ts'
import { runPaths } from '#contract/console/environmentPaths.ts'
import { api } from '#contract/index.ts'
import { stringifyJson } from '#contract/wire/json.ts'
import type { Endpoint, Input } from '#contract/wire/kernel.ts'
import { pipeScalingInput } from '#contract/cloud/pipes/pipeScaling.ts'
import { listedKinds } from '#contract/stack/recordKinds.ts'
import { readOnlyAlertFields } from '#contract/stack/readOnlyAlertFields.ts'
import type { PromotionPlan, Started } from '#contract/console/runs.ts'
import { replicaScalingInput } from '#contract/cloud/services/services.ts'
import { takesAway } from '#domain/json/diff.ts'
import type { JsonObject } from '#domain/json/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { serverFields } from '#domain/records/comparable.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { ApiFailure, failure } from '#node/upstream/apiFailure.ts'
import { sentForApproval } from '../../approvals/approvalQueue.ts'
import { offered, type AgentGateway, type Proposal } from '../exchange/agentGateway.ts'
import { connection, idOf, isoTime, tool } from './tool.ts'

const reason = z
  .string()
  .trim()
  .min(10)
  .max(2_000)
  .describe('Why, with the evidence, for the person who decides: 10 to 2,000 characters.')
const revision = z
  .string()
  .regex(/^[\w.-]{1,64}$/)
  .describe('Of the record as it was read: the change is refused if it was changed since.')
const changes = z
  .looseObject({})
  .describe('The fields to set, each as a whole: a list such as tiles replaces the stored one.')
const serviceId = idOf('service', 'list_services')
const boundsOf = (bounds: readonly Bound[]) => bounds.map((bound) => `${bound.field} ${formatBound(bound)}`).join('; ')
/** Minutes of a silence: a week. */
const maxSilence = 10_080

export const proposalTools = [
  tool({
    name: 'create_dashboard',
    kind: 'propose',
    title: 'Propose a dashboard',
    description: 'Proposes a new dashboard. Read an existing one first for the form of tiles; the grid has 24 columns.',
    input: z.strictObject({ connection, dashboard: dashboardInput, reason }),
    replaces: false,
    isIdempotent: false,
    run: (gateway, { connection: id, dashboard, reason }) =>
      propose(gateway, id, api.dashboards.create, { body: dashboard }, { reason }),
  }),
  tool({
    name: 'update_dashboard',
    kind: 'propose',
    title: 'Propose a change of a dashboard',
    description:
      'Proposes a change of a dashboard: name, tiles, tags, filters. Keep the id of every tile that stays. Tiles, tags and other items that are left out are deleted, which a person always approves; an item without an id that gets other values counts as deleted.',
    input: z.strictObject({ connection, dashboardId: idOf('dashboard', 'list_dashboards'), revision, changes, reason }),
    replaces: true,
    isIdempotent: true,
    run: async (gateway, { connection: id, dashboardId, revision, changes, reason }) => {
      const params = { dashboardId }
      const { record } = await gateway.readRecord(id, api.dashboards.get, { params })
      const stored = fieldsOf(record, serverFields)
      const body = checked(dashboardInput, { ...stored, ...changes })
      return propose(
        gateway,
        id,
        api.dashboards.update,
        { params, body },
        { reason, revision, removes: takesAway(stored, body) },
      )
    },
  }),
  tool({
    name: 'create_alert',
    kind: 'propose',
    title: 'Propose an alert',
    description:
      'Proposes a new alert on a tile (dashboardId, tileId) or a saved search (savedSearchId), with a channel of list_webhooks: {"type":"webhook","webhookId":"…"}. Backtest similar alerts first.',
    input: z.strictObject({ connection, alert: alertInput, reason }),
    replaces: false,
    isIdempotent: false,
    run: (gateway, { connection: id, alert: body, reason }) =>
      propose(gateway, id, api.alerts.create, { body }, { reason }),
  }),
  tool({
    name: 'update_alert',
    kind: 'propose',
    title: 'Propose a change of an alert',
    description:
      'Proposes a change of an alert, such as its threshold. Use backtest_alert first and put its result into the reason.',
    input: z.strictObject({ connection, alertId: idOf('alert', 'list_alerts'), revision, changes, reason }),
    replaces: true,
    isIdempotent: true,
    run: async (gateway, { connection: id, alertId, revision, changes, reason }) => {
      const params = { alertId }
      const { record } = await gateway.readRecord(id, api.alerts.get, { params })
      const stored = fieldsOf(record, readOnlyAlertFields)
      const body = checked(alertInput, { ...stored, ...changes })
      return propose(
        gateway,
        id,
        api.alerts.update,
        { params, body },
        { reason, revision, removes: takesAway(stored, body) },
      )
    },
  }),
  tool({
    name: 'silence_alert',
    kind: 'propose',
    title: 'Propose a silence',
    description:
      'Proposes that an alert, or one group of it, notifies nobody for 1 to 10,080 minutes. It is evaluated meanwhile.',
    input: z.strictObject({
      connection,
      alertId: idOf('alert', 'list_alerts'),
      minutes: z.int().min(1).max(maxSilence).describe('1 to 10080.'),
      group: z
        .string()
        .min(1)
        .max(4096)
        .optional()
        .describe('The key of a group, such as service:checkout. Default: the whole alert.'),
      reason,
    }),
    replaces: false,
    isIdempotent: false,
    run: async (gateway, { connection: id, alertId, minutes, group, reason }) => {
      await requireSilences(gateway, id)
      const mutedUntil = isoTime(currentTime() + minutes * 60_000)
      const body = { mutedUntil, group, reason: reason.slice(0, 512) }
      return propose(gateway, id, api.alerts.silence, { params: { alertId }, body }, { reason })
    },
  }),
  tool({
    name: 'scale_pipe',
    kind: 'propose',
    title: 'Propose another size of a pipe',
    description: `Proposes another size of a data pipe. Bounds: ${boundsOf(pipeScalingBounds)}. Fields that are left out stay.`,
    input: z.strictObject({
      connection,
      serviceId,
      pipeId: idOf('pipe', 'list_pipes'),
      scaling: pipeScalingInput,
      reason,
    }),
    replaces: true,
    isIdempotent: true,
    run: (gateway, { connection: id, serviceId, pipeId: dataPipeId, scaling: body, reason }) =>
      propose(gateway, id, api.pipes.scaling, { params: { serviceId, dataPipeId }, body }, { reason }),
  }),
  tool({
    name: 'scale_service',
    kind: 'propose',
    title: 'Propose another size of a service',
    description: `Proposes other limits of memory, replicas or idling of a service. Bounds: ${boundsOf(replicaScalingBounds)}. Fields that are left out stay.`,
    input: z.strictObject({ connection, serviceId, scaling: replicaScalingInput, reason }),
    replaces: true,
    isIdempotent: true,
    run: (gateway, { connection: id, serviceId, scaling: body, reason }) =>
      propose(gateway, id, api.services.replicaScaling, { params: { serviceId }, body }, { reason }),
  }),
  tool({
    name: 'promote_record',
    kind: 'propose',
    title: 'Propose a promotion',
    description:
      'Proposes to copy a record, and what it refers to, from one connection to another. A record that is there already is updated, which a person always approves. What is left to decide must be promoted in the console.',
    input: z.strictObject({
      connection: connection.describe('ID of the connection that gets the record.'),
      from: connection.describe('ID of the connection that has the record.'),
      kind: z.enum(listedKinds),
      recordId: idOf('record', 'the lists'),
      reason,
    }),
    replaces: true,
    isIdempotent: true,
    run: promote,
  }),
]

/** A deployment that has silences also tells how its alerts are evaluated: nobody approves what it cannot do. @throws ApiFailure */
async function requireSilences(gateway: AgentGateway, connectionId: string): Promise<void> {
  const status = await offered(gateway.read(connectionId, api.alerts.evaluationStatus, {}))
  if (status instanceof ApiFailure) throw failure('notOffered', 'This deployment does not offer silences of alerts.')
}

/** The outcome of a change that was carried out at once. @throws sentForApproval where it waits */
async function propose<E extends Endpoint>(
  gateway: AgentGateway,
  id: string,
  endpoint: E,
  input: Input<E>,
  proposal: Proposal,
) {
  await gateway.propose(id, endpoint, input, proposal)
  return done
}

const done = {
  state: 'carriedOut',
  note: 'The connection allows this tool without approval: the change is made. The history has it.',
}

async function promote(
  gateway: AgentGateway,
  {
    connection: to,
    from,
    kind,
    recordId,
    reason,
  }: { connection: string; from: string; kind: string; recordId: string; reason: string },
) {
  const input = { from, records: [{ kind, id: recordId }], targets: [{ connectionId: to }] }
  // The gateway's own responses.
  const plan = (await gateway.post(runPaths.promotionPlan, input)) as PromotionPlan
  const [target] = plan.targets
  if (!target || target.problem !== undefined) throw failure('failed', target?.problem ?? 'There is no plan.')
  if (plan.gone.length > 0)
    throw failure('notFound', 'The record does not exist on the connection that it is promoted from.')
  if (!target.ready) {
    throw failure(
      'blocked',
      'The promotion has choices or missing records, which a person decides in the console: Promote.',
    )
  }
  if (target.counts.create + target.counts.update + target.counts.delete === 0) {
    return { state: 'unchanged', note: 'Both connections have the same record already.' }
  }
  const body = { ...input, digests: { [to]: target.digest } }
  const overwrites = target.counts.update + target.counts.delete > 0
  const sent = { method: 'POST', path: runPaths.promotions, body }
  const { held, runs } = (await gateway.proposeBy(sent, { reason, removes: overwrites })) as Started
  if (held[0]) throw sentForApproval(held[0])
  return {
    state: 'started',
    runs,
    note: 'The connection allows this tool without approval: the promotion is under way.',
  }
}

/** The fields of a record that a body may have. */
function fieldsOf(record: unknown, others: readonly string[]): JsonObject {
  if (!isPlainObject(record)) throw failure('malformedReply', 'The deployment answered with something unexpected.')
  return Object.fromEntries(Object.entries(record).filter(([name, value]) => value != null && !others.includes(name)))
}

/** The body, with all of its digits. @throws invalid */
function checked<S extends z.ZodType>(schema: S, body: JsonObject): z.output<S> & JsonObject {
  const { error } = schema.safeParse(JSON.parse(stringifyJson(body)))
  const [first] = error?.issues ?? []
  if (first) throw failure('invalid', `The changed record is not valid: ${first.path.join('.')}: ${first.message}`)
  // Checked just now. Numbers beyond those of JavaScript stay as they are.
  return body as z.output<S> & JsonObject
}
