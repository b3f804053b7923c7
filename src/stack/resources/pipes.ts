/** Data pipes: docs/DEPLOYMENTS.md#pipes, #scaling-of-pipes. */
import type { Handlers } from '#contract/wire/kernel.ts'
import { pipeKindNames } from '#contract/cloud/pipeKinds.ts'
import {
  unsupportedParameterReason,
  pipeScalingParameters,
  type PipeScalingInput,
} from '#contract/cloud/pipes/pipeScaling.ts'
import { settingApplies, type PipeSettings } from '#contract/cloud/pipes/pipeSettings.ts'
import type { pipes } from '#contract/cloud/pipes/pipes.ts'
import { currentIsoTime, currentTime } from '#node/clock/wallClock.ts'
import type { StackContext } from './context.ts'
import { InvalidInput, Refusal, refuse } from '../refusal.ts'
import { forgetLoss } from '../pipes/kafka/storedOffsets.ts'
import { deleteFailedFiles, deletePipeLoads } from '../pipes/loads/loads.ts'
import { badRecordsOf } from '../pipes/records/errorTable.ts'
import {
  anchored,
  familyOf,
  kindOf,
  startTransition,
  pipeAnswer,
  readyStates,
  settledPipe,
  stopStates,
  type PipeDocument,
} from '../pipes/model/pipeDocument.ts'
import { merged, newPipe, givenParameters } from '../pipes/model/newPipe.ts'
import { pipeLimit, pipeRows } from '../pipes/model/pipeRows.ts'
import { requireRoom } from '../store/requireRoom.ts'
import type { Queries } from '../store/store.ts'
import { cdcScalingHandlers, deleteUnusedCdcScaling } from './cdcScaling.ts'
import { updatedPipe } from '../pipes/model/pipeUpdate.ts'
import { serviceNow } from '../documents/serviceRows.ts'

interface PipeParams {
  serviceId: string
  dataPipeId: string
}

/** The pipe in its current state. @throws Refusal 404 if the service has no such pipe */
async function pipeNow(queries: Queries, { serviceId, dataPipeId }: PipeParams): Promise<PipeDocument> {
  const service = await serviceNow(queries, serviceId)
  const document = await pipeRows.get(queries, dataPipeId.toLowerCase())
  if (document?.serviceId !== service.id) throw new Refusal(404, dataPipeId)
  return settledPipe(document, currentTime())
}

/** Changes a stored pipe. @returns the changed document */
async function change(
  { store, cloud }: StackContext,
  params: PipeParams,
  work: (pipe: PipeDocument, transaction: Queries) => PipeDocument | Promise<PipeDocument>,
): Promise<PipeDocument> {
  const changed = await store.write(async (transaction) => {
    const pipe = anchored(await pipeNow(transaction, params), currentTime())
    const document = { ...(await work(pipe, transaction)), updatedAt: currentIsoTime() }
    await pipeRows.update(transaction, document)
    return document
  })
  cloud.changed()
  return changed
}

/** Creating and changing a pipe needs a running service. @throws Refusal 424 */
async function refuseUnlessRunning(queries: Queries, serviceId: string, doing: string): Promise<void> {
  const { state } = await serviceNow(queries, serviceId)
  if (state === 'running') return
  throw new Refusal(424, `Data pipe ${doing} is allowed only when the service is running. Current state: ${state}`)
}

export const pipeHandlers: Handlers<typeof pipes, StackContext> = {
  async list({ params }, { store, cloud }) {
    const service = await serviceNow(store, params.serviceId)
    const now = currentTime()
    const documents = await pipeRows.all(store)
    return documents
      .filter((document) => document.serviceId === service.id)
      .map((document) => pipeAnswer(document, cloud.behavior, now))
  },

  async get({ params }, { store, cloud }) {
    return pipeAnswer(await pipeNow(store, params), cloud.behavior, currentTime())
  },

  async create({ params, body }, { store, cloud, signal }) {
    await refuseUnlessRunning(store, params.serviceId, 'creation')
    const created = newPipe(params.serviceId.toLowerCase(), body, cloud.convergesAt())
    refuseSettings(created, body.settings ?? {}, 'settings.')
    if (body.scaling) refuseScalingParameters(created, body.scaling, 'scaling.')
    await cloud.check(created, signal)
    const acceptedAt = currentTime()
    const pipe = body.startPaused
      ? withoutPendingChange(created)
      : startTransition(created, 'Provisioning', readyStates[familyOf(created)], cloud.convergesAt())
    await store.write(async (transaction) => {
      await requireRoom(transaction, pipeLimit)
      await pipeRows.insert(transaction, pipe)
    })
    cloud.changed()
    // However long the write took.
    return pipeAnswer(pipe, cloud.behavior, acceptedAt)
  },

  async discover({ params, body }, { store, cloud, signal }) {
    await refuseUnlessRunning(store, params.serviceId, 'schema discovery')
    const input = { name: 'sample', source: body.source, destination: { database: 'default' } }
    return cloud.sample(newPipe(params.serviceId.toLowerCase(), input, currentIsoTime()), signal)
  },

  async update({ params, body }, context) {
    const { store, cloud, signal } = context
    await refuseUnlessRunning(store, params.serviceId, 'update')
    const next = updatedPipe(await pipeNow(store, params), body, cloud.convergesAt())
    refuseSettings(next, body.settings ?? {}, 'settings.')
    if (body.source || body.destination) await cloud.check(next, signal)
    const changed = await change(context, params, (pipe) => updatedPipe(pipe, body, cloud.convergesAt()))
    return pipeAnswer(changed, cloud.behavior, currentTime())
  },

  async delete({ params }, { store, cloud }) {
    const pipe = await pipeNow(store, params)
    await store.write(async (transaction) => {
      await pipeRows.delete(transaction, pipe.id)
      await deleteUnusedCdcScaling(transaction, pipe.serviceId)
    })
    await cloud.forget(pipe)
    await store.write((transaction) => deletePipeLoads(transaction, pipe.id))
    return undefined
  },

  async scaling({ params, body }, context) {
    const { cloud } = context
    const changed = await change(context, params, (pipe) => {
      refuseScalingParameters(pipe, body, '')
      const values = givenParameters(body)
      const asked = currentIsoTime()
      // Earlier changes that are still pending stay pending.
      const scaling = { values: { ...pipe.internal.scaling?.values, ...values }, asked, at: cloud.convergesAt() }
      return { ...pipe, internal: { ...pipe.internal, scaling } }
    })
    return pipeAnswer(changed, cloud.behavior, currentTime())
  },

  async state({ params, body: { command } }, context) {
    const at = context.cloud.convergesAt()
    const commands = { start: startPipe, stop: stopPipe, resync: resyncPipe }
    const changed = await change(context, params, async (pipe, transaction) => {
      if (command === 'start') {
        await deleteFailedFiles(transaction, pipe.id)
        await forgetLoss(transaction, pipe.id)
      }
      return commands[command](pipe, at)
    })
    return pipeAnswer(changed, context.cloud.behavior, currentTime())
  },

  async settings({ params }, { store }) {
    return settingsOf(await pipeNow(store, params))
  },

  async updateSettings({ params, body }, context) {
    const changed = await change(context, params, (pipe) => {
      settingsOf(pipe)
      refuseSettings(pipe, body, '')
      return { ...pipe, settings: merged(pipe.settings ?? {}, body) }
    })
    return settingsOf(changed)
  },

  async consumerGroup({ params }, { store, cloud }) {
    return cloud.position(await pipeNow(store, params))
  },

  async shards({ params }, { store, cloud }) {
    return cloud.shards(await pipeNow(store, params))
  },

  async badRecords({ params }, { store, cloud, engine, signal }) {
    const pipe = await pipeNow(store, params)
    if (!engine) return []
    return badRecordsOf(engine, cloud.errorTables(pipe), pipe.id, signal)
  },

  async resendBadRecords({ params }, context) {
    const { store, cloud } = context
    const asked = await pipeNow(store, params)
    const request = await cloud.resend(asked)
    // A pipe that has ended runs once more for it.
    if (asked.state !== 'Completed') return request
    await change(context, params, (pipe) => {
      if (pipe.state !== 'Completed') return pipe
      return startTransition(pipe, 'Provisioning', readyStates[familyOf(pipe)], cloud.convergesAt())
    })
    return request
  },

  async previewOffsets({ params, body }, { store, cloud }) {
    return cloud.offsets(await pipeNow(store, params), body, 'plan')
  },

  async resetOffsets({ params, body }, { store, cloud }) {
    return cloud.offsets(await pipeNow(store, params), body, 'reset')
  },

  ...cdcScalingHandlers,
}

/**
 * @param at the path of the parameters in the body: empty or `scaling.`
 * @throws InvalidInput for every parameter that pipes of this kind do not have
 */
function refuseScalingParameters(pipe: PipeDocument, input: PipeScalingInput, at: '' | 'scaling.'): void {
  const issues = pipeScalingParameters.flatMap((parameter) => {
    const reason = input[parameter] == null ? null : unsupportedParameterReason(parameter, kindOf(pipe))
    return reason === null ? [] : [{ path: `${at}${parameter}`, message: reason, input: input[parameter] }]
  })
  if (issues.length > 0) throw new InvalidInput([{ part: 'Body', issues }])
}

/**
 * @param at the path of the settings in the body: empty or `settings.`
 * @throws InvalidInput for every setting that pipes of this kind do not have
 */
function refuseSettings(pipe: PipeDocument, settings: PipeSettings, at: '' | 'settings.'): void {
  const kind = kindOf(pipe)
  const message = `Setting is not supported for ${pipeKindNames[kind]} pipes`
  const issues = Object.entries(settings)
    .filter(([key]) => !settingApplies(key, kind))
    .map(([key, input]) => ({ path: `${at}${key}`, message, input }))
  if (issues.length > 0) throw new InvalidInput([{ part: 'Body', issues }])
}

/** @throws Refusal 404 for a database pipe, which has no settings */
function settingsOf(pipe: PipeDocument): PipeSettings {
  if (familyOf(pipe) === 'database') throw new Refusal(404, `settings of data pipe "${pipe.id}" not found`)
  // Clients rely on this one for Kafka, and the document of the product has it in every answer.
  return { ...(kindOf(pipe) === 'kafka' && { kafka_read_committed: true }), ...pipe.settings }
}

/** The pipe in its stopped state, without a change under way. */
function withoutPendingChange(pipe: PipeDocument): PipeDocument {
  const { change: _change, ...internal } = pipe.internal
  return { ...pipe, state: stopStates[familyOf(pipe)].to, internal }
}

const startable: readonly string[] = ['Stopped', 'Failed', 'Paused', 'InternalError']
const halting: readonly string[] = Object.values(stopStates).map(({ via }) => via)

function startPipe(pipe: PipeDocument, at: string): PipeDocument {
  if (pipe.state === 'Completed') throw refuse(`${pipe.id} data pipe is completed. Create a new one to load again`)
  if (halting.includes(pipe.state)) throw refuse(`${pipe.id} data pipe is still stopping. Start it once it has stopped`)
  if (!startable.includes(pipe.state)) throw refuse(`${pipe.id} data pipe is already running`)
  return startTransition(pipe, 'Provisioning', readyStates[familyOf(pipe)], at)
}

function stopPipe(pipe: PipeDocument, at: string): PipeDocument {
  const { via, to } = stopStates[familyOf(pipe)]
  if ([via, to, 'Completed'].includes(pipe.state)) return pipe
  return startTransition(pipe, via, to, at)
}

function resyncPipe(pipe: PipeDocument, at: string): PipeDocument {
  if (familyOf(pipe) !== 'database')
    throw refuse(`${pipe.id} data pipe cannot be resynchronized. Only database pipes can`)
  const next = startTransition(pipe, 'Resync', 'Setup', at)
  return { ...next, internal: { ...next.internal, resync: true } }
}
