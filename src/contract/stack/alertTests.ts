/** The result of a test of an alert: each step from its query to the answers of its receivers. Beyond the specification. */
import { z } from 'zod'
import { openEnum, wireNumber } from '../wire/kernel.ts'

const testedState = openEnum(['ALERT', 'PENDING', 'OK'])

const testedGroup = z.looseObject({ group: z.string(), value: wireNumber, state: testedState })

/** The values of the newest window. */
const testedQuery = z.looseObject({
  /** The window in epoch milliseconds: [start, end). */
  start: wireNumber.optional(),
  end: wireNumber.optional(),
  /** Windows that were read: as many as must violate the threshold one after the other. */
  windows: wireNumber.optional(),
  /** The value of the newest window; of an alert with groups, that of the first group. Null without one. */
  value: wireNumber.nullish(),
  /** No row matched: the value counts as 0. */
  noRows: z.boolean().optional(),
  /** Firing ones first, then the highest value. */
  groups: z.array(testedGroup).optional(),
  groupsTotal: wireNumber.optional(),
  /** Milliseconds. */
  duration: wireNumber.optional(),
  /** Why nothing could be read. Then nothing follows. */
  error: z.looseObject({ type: z.string(), message: z.string() }).optional(),
})

/** Whether the alert would fire now. */
const testedCondition = z.looseObject({ state: testedState, text: z.string() })

/** The message as it was rendered for the first channel. */
const testedMessage = z.looseObject({
  title: z.string(),
  body: z.string(),
  link: z.string().optional(),
  /** Problems of the templates, one sentence each. */
  problems: z.array(z.string()).optional(),
})

/** The answer of one webhook. URLs are masked. */
const testedDelivery = z.looseObject({
  webhookId: z.string(),
  webhookName: z.string().optional(),
  service: z.string().optional(),
  url: z.string().optional(),
  delivered: z.boolean(),
  /** The outcome, in a sentence. */
  reason: z.string(),
  /** The HTTP status of the receiver, if it answered. */
  status: wireNumber.optional(),
  /** The beginning of the receiver's answer. */
  answer: z.string().optional(),
  /** Milliseconds. */
  duration: wireNumber.optional(),
  /** The receiver opened an incident for the test: whether its end was delivered too. */
  resolved: z.boolean().optional(),
})

/** A step that was not reached is absent. */
export const alertTestResult = z.looseObject({
  query: testedQuery,
  condition: testedCondition.optional(),
  message: testedMessage.optional(),
  deliveries: z.array(testedDelivery).optional(),
})
export type AlertTestResult = z.infer<typeof alertTestResult>
