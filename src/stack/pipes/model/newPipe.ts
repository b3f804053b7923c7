/** Creates a data pipe: docs/DEPLOYMENTS.md#pipes. */
import { randomUUID } from 'node:crypto'
import type { PipeCreate } from '#contract/cloud/pipes/pipeInputs.ts'
import { defaultPipeSize } from '#domain/sizing/pipePrices.ts'
import type { PipeScalingParameter, PipeScalingInput } from '#contract/cloud/pipes/pipeScaling.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { simulatedDetail } from '#contract/cloud/pipes/pipes.ts'
import { familyOf, readyStates, type PipeDocument } from './pipeDocument.ts'
import { splitSecrets } from './pipeSecrets.ts'
import type { PipeSettings } from '#contract/cloud/pipes/pipeSettings.ts'

/**
 * @param readyAt when it is provisioned, as an ISO date
 * @param isExample whether it has no source: a streaming pipe is simulated then
 */
export function newPipe(serviceId: string, body: PipeCreate, readyAt: string, isExample = false): PipeDocument {
  const { validateSamples: _validate, ...arms } = body.source
  const { source, secrets } = splitSecrets(arms)
  // The stack's tables need no sign-in: roles are accepted and, as on deployments, never returned.
  const { roles: _roles, ...destination } = body.destination
  const family = familyOf({ source })
  const isModel = family === 'streaming' && isExample
  const now = currentTime()
  const time = new Date(now).toISOString()
  const scaling = {
    streaming: { ...defaultPipeSize, ...givenParameters(body.scaling ?? {}) },
    objectStorage: { concurrency: 0, ...givenParameters(body.scaling ?? {}) },
    database: undefined,
  }[family]
  return {
    id: randomUUID(),
    serviceId,
    name: body.name,
    state: 'Provisioning',
    ...(isModel && { stateDetail: simulatedDetail }),
    ...(scaling && { scaling }),
    source,
    destination,
    ...(body.fieldMappings && { fieldMappings: body.fieldMappings }),
    ...(family !== 'database' && { settings: merged({}, body.settings ?? {}) }),
    createdAt: time,
    updatedAt: time,
    internal: {
      change: { to: readyStates[family], at: readyAt },
      ...(secrets && { secrets }),
      ...(isModel && { model: { at: now, fetchedBytes: 0, sentBytes: 0, backlog: 0 } }),
    },
  }
}

/** Scaling parameters that have a value. */
export function givenParameters(input: PipeScalingInput): Partial<Record<PipeScalingParameter, number>> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value != null))
}

/**
 * The stored settings of a pipe: only those that were set. Keys that are left out stay. Null restores the default.
 */
export function merged(settings: PipeSettings, change: PipeSettings): PipeSettings {
  return Object.fromEntries(Object.entries({ ...settings, ...change }).filter(([, value]) => value !== null))
}
