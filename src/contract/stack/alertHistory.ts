/** Evaluations of alerts: docs/DEPLOYMENTS.md#alert-evaluation. Times in queries are epoch milliseconds. */
import { z } from 'zod'
import { openEnum, wireNumber } from '../wire/kernel.ts'

/** `INSUFFICIENT_DATA` and, on deployments, `ERROR`: the window could not be read. */
const evaluationStates = ['ALERT', 'PENDING', 'OK', 'INSUFFICIENT_DATA', 'ERROR'] as const

export const executionError = z.looseObject({
  timestamp: z.string().optional(),
  type: z.string().optional(),
  message: z.string().optional(),
})

/** One group of an evaluated window. */
const evaluatedGroup = z.looseObject({
  group: z.string(),
  state: openEnum(evaluationStates),
  counts: wireNumber,
  lastValue: wireNumber.nullish(),
  /** Whether it fires, and is not only pending. */
  fired: z.boolean().optional(),
  /** No row of the group matched, so that it counts as 0. */
  noRows: z.boolean().optional(),
})

/** One window of an alert. `createdAt` is its end. */
const alertEvaluation = z.looseObject({
  createdAt: z.string(),
  state: openEnum(evaluationStates),
  /** Number of groups that violated the threshold. */
  counts: wireNumber,
  lastValues: z.array(z.looseObject({ startTime: z.string(), count: wireNumber })),
  errors: z.array(executionError).optional(),
  analytics: z
    .looseObject({ queryDurationMs: wireNumber.optional(), backfilledBuckets: wireNumber.optional() })
    .optional(),
  /** At most 50 groups, firing first, then the highest value. */
  groups: z.array(evaluatedGroup).optional(),
  groupsTotal: wireNumber.optional(),
  /** No row matched, so that the window counts as 0. */
  noRows: z.boolean().optional(),
  /** A silence suppressed what would have been sent. */
  silenced: z.boolean().optional(),
})
export type AlertEvaluation = z.infer<typeof alertEvaluation>

/** Newest first. */
export const alertEvaluations = z.looseObject({
  items: z.array(alertEvaluation),
  /** Older ones exist: continue with `before`. */
  hasMore: z.boolean(),
  nextBefore: wireNumber.optional(),
})

/** When an alert began or ceased to fire, oldest first. An alert that fires at the start of the range begins there. */
export const alertCrossing = z.looseObject({
  createdAt: z.string(),
  state: openEnum(['ALERT', 'OK']),
  bucketStart: z.string(),
})

const time = z.coerce.number().int().min(0).max(8.64e15)
const maxEvaluations = 200
const inOrder = ({ startTime, endTime }: { startTime?: number | undefined; endTime?: number | undefined }) =>
  startTime === undefined || endTime === undefined || startTime < endTime
const order = { path: ['endTime'], error: 'endTime must be greater than startTime' }

export const evaluationsQuery = z
  .object({
    limit: z.coerce.number().int().min(1).max(maxEvaluations).default(maxEvaluations),
    /** Only windows that ended before. */
    before: time.optional(),
    startTime: time.optional(),
    endTime: time.optional(),
  })
  .refine(inOrder, order)

export const historyQuery = z.object({ startTime: time.optional(), endTime: time.optional() }).refine(inOrder, order)

const reason = z.string().trim().min(1).max(512).optional()

const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)

const eachWeek = z.object({
  /** The days on which it begins; 0 is Sunday. */
  weekdays: z.array(z.int().min(0).max(6)).min(1).max(7),
  minutes: z.int().min(1).max(1440),
})

/** A maintenance window that repeats every week: in UTC, or by the clock of a time zone, also after that clock changes. */
export const recurrence = z.union([
  eachWeek.extend({ startUtc: timeOfDay }),
  eachWeek.extend({ start: timeOfDay, timeZone: z.string().max(64).refine(isTimeZone, 'Unknown time zone') }),
])

/** Whether it is a name of the IANA database. Offsets such as +02:00 are none: they have no clock that changes. */
function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** A silence of the whole alert, or of one group of it. */
export const silenceInput = z
  .object({
    mutedUntil: z.iso.datetime(),
    reason,
    /** The key of the group, such as `service:checkout`. */
    group: z.string().min(1).max(4096).optional(),
    /** Only in these times, up to `mutedUntil`. */
    recurring: recurrence.optional(),
  })
  .refine(({ mutedUntil }) => Date.parse(mutedUntil) > Date.now(), {
    path: ['mutedUntil'],
    error: 'mutedUntil must be in the future',
  })

/** Which silence to end: that of the group, or of the whole alert. */
export const silenceQuery = z.object({ group: z.string().min(1).max(4096).optional() })

/** Somebody takes care of a firing alert. */
export const acknowledgementInput = z.object({
  /** The action that was taken. */
  note: reason,
  /** Who it is, by name. */
  by: z.string().trim().min(1).max(256).optional(),
})

export const pauseInput = z.object({ reason })

/** How current the evaluation of all alerts is. */
export const evaluationStatus = z.looseObject({
  /** When the last pass ended; null if there was none. */
  lastPassAt: z.string().nullable(),
  /** The last pass, or the one that should have followed it, is more than a minute late. */
  late: z.boolean(),
  /** Why no alert is ever evaluated here; absent if alerts are. */
  unevaluated: z.string().optional(),
})
