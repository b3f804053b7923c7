/** Replica scaling of a service: form, changes, and the rules of docs/DEPLOYMENTS.md#services. */
import { z } from 'zod'
import { formatSizeValue, sizeTitles } from '#console/records/scaling/sizeFields.ts'
import type { Size } from '#console/records/scaling/useScaling.ts'
import type { Change } from '#console/ui/ChangeTable.tsx'
import { boundSchema, formatBound, replicaScalingBounds, type Bound } from '#contract/cloud/bounds.ts'
import { replicaScalingInput, type Service } from '#contract/cloud/services/services.ts'

export type NumberField = (typeof replicaScalingBounds)[number]['field']

/** Numbers are null if unchanged and NaN if invalid. */
export type ReplicaForm = Record<NumberField, number | null> & { autoscalingMode: string; idleScaling: boolean }

export type ReplicaBody = Partial<Record<NumberField, number> & { autoscalingMode: string; idleScaling: boolean }>

export const bounds: Record<NumberField, Bound> = Object.fromEntries(
  replicaScalingBounds.map((bound) => [bound.field, bound]),
) as Record<NumberField, Bound> // fromEntries forgets the keys

export function readForm(service: Service): ReplicaForm {
  return {
    minReplicaMemoryGb: null,
    maxReplicaMemoryGb: null,
    numReplicas: null,
    minReplicas: null,
    maxReplicas: null,
    idleTimeoutMinutes: null,
    autoscalingMode: service.autoscalingMode ?? 'vertical',
    idleScaling: service.idleScaling ?? false,
  }
}

/** The service with the pending change applied. */
export function withPending(service: Service, values: unknown): Service {
  const pending = replicaScalingInput.safeParse(values)
  return pending.success ? { ...service, ...pending.data } : service
}

/** The value after the change: the form's, or the current one. */
function valueAfter(form: ReplicaForm, service: Service, field: NumberField): number | null {
  return form[field] ?? service[field] ?? null
}

/** The values that a service was given, by field. */
export function sizeOf(service: Service): Size {
  const fields = ['autoscalingMode', 'idleScaling', ...replicaScalingBounds.map(({ field }) => field)] as const
  return Object.fromEntries(fields.map((field) => [field, service[field] ?? null]))
}

/** The form that sends values. */
export function formOf(values: Partial<ReplicaForm>, service: Service): ReplicaForm {
  return { ...readForm(service), ...values }
}

/** The request body: the fields that differ. Minimum and maximum replicas, mode and replicas, idling and timeout go together. */
export function replicaBody(form: ReplicaForm, service: Service): ReplicaBody {
  const before = readForm(service)
  const moved = form.autoscalingMode !== before.autoscalingMode
  const horizontal = form.autoscalingMode === 'horizontal'
  const differs = (field: NumberField) => form[field] !== null && form[field] !== service[field]
  const value = (field: NumberField): Partial<Record<NumberField, number>> => {
    const number = valueAfter(form, service, field)
    return number === null ? {} : { [field]: number }
  }
  const only = (field: NumberField) => (differs(field) ? value(field) : {})
  const band = moved || differs('minReplicas') || differs('maxReplicas')
  const memory = valueAfter(form, service, 'minReplicaMemoryGb')
  const uneven = memory !== null && (memory !== service.minReplicaMemoryGb || memory !== service.maxReplicaMemoryGb)
  return {
    ...(moved && { autoscalingMode: form.autoscalingMode }),
    ...(horizontal
      ? {
          ...(band && { ...value('minReplicas'), ...value('maxReplicas') }),
          // Horizontal scaling has one size for all replicas.
          ...(uneven && { minReplicaMemoryGb: memory, maxReplicaMemoryGb: memory }),
        }
      : {
          ...(moved ? value('numReplicas') : only('numReplicas')),
          ...only('minReplicaMemoryGb'),
          ...only('maxReplicaMemoryGb'),
        }),
    ...(form.idleScaling !== before.idleScaling && { idleScaling: form.idleScaling }),
    ...(form.idleScaling && (before.idleScaling ? only('idleTimeoutMinutes') : value('idleTimeoutMinutes'))),
  }
}

/** The changes that a body makes. */
export function replicaChanges(body: ReplicaBody, service: Service): Change[] {
  return Object.entries(body)
    .filter(([field, value]) => value !== service[field])
    .map(([field, value]) => ({
      title: sizeTitles[field as keyof ReplicaForm], // the keys of a body are fields of the form
      before: formatSizeValue(field, service[field]),
      after: formatSizeValue(field, value),
    }))
}

/** The values that revert a body. */
export function previousBody(body: ReplicaBody, service: Service): ReplicaBody {
  const fields =
    body.autoscalingMode === undefined
      ? Object.keys(body)
      : [
          'autoscalingMode',
          'minReplicaMemoryGb',
          'maxReplicaMemoryGb',
          ...(body.autoscalingMode === 'horizontal' ? ['numReplicas'] : ['minReplicas', 'maxReplicas']),
          ...Object.keys(body).filter((field) => field.startsWith('idle')),
        ]
  const previous = Object.entries(service).filter(([field, value]) => fields.includes(field) && value != null)
  // The values have the types that the body takes.
  return Object.fromEntries(previous) as ReplicaBody
}

/** The contract's bounds and rules for the values that are sent and those that result. */
export function formSchema(service: Service) {
  return z.custom<ReplicaForm>().superRefine((form, context) => {
    const addIssue = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    const body = replicaBody(form, service)
    let wrong = false
    for (const { field } of replicaScalingBounds) {
      const value = body[field]
      if (value === undefined || boundSchema(bounds[field]).safeParse(value).success) continue
      addIssue(field, `Must be ${formatBound(bounds[field])}.`)
      wrong = true
    }
    if (wrong || Object.keys(body).length === 0) return
    const horizontal = form.autoscalingMode === 'horizontal'
    const [minMemory, maxMemory] = [
      valueAfter(form, service, 'minReplicaMemoryGb'),
      valueAfter(form, service, 'maxReplicaMemoryGb'),
    ]
    if (!horizontal && minMemory !== null && maxMemory !== null && minMemory > maxMemory) {
      addIssue('maxReplicaMemoryGb', 'Must be at least the minimum memory.')
    }
    const needed: readonly NumberField[] = horizontal ? ['minReplicas', 'maxReplicas'] : ['numReplicas']
    for (const field of body.autoscalingMode === undefined ? [] : needed) {
      if (body[field] === undefined) addIssue(field, 'Required when the scaling mode changes.')
    }
    if (body.idleScaling === true && body.idleTimeoutMinutes === undefined) {
      addIssue('idleTimeoutMinutes', 'Required')
    }
    for (const issue of replicaScalingInput.safeParse(body).error?.issues ?? []) {
      const field = String(issue.path[0] ?? '')
      if (field) addIssue(field, `${issue.message}.`)
    }
  })
}
