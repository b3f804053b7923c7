/**
 * A sample of a source before its pipe is created: managed reference 5, "schema discovery". Deployments have it for Kafka and
 * Kinesis; the stack also for object storage and Postgres.
 */
import { z } from 'zod'
import { sourceInput } from './pipeSourceInputs.ts'
import { nullsLeftOut } from './pipeTexts.ts'

/** The input of clients. The deployment checks unknown fields. */
export const discoveryInput = z.looseObject({ source: z.looseObject({}) })

export const discoveryInputStrict = z.strictObject({ source: nullsLeftOut(sourceInput) })

const field = z.looseObject({
  name: z.string(),
  /** A column type. */
  type: z.string(),
  /** Whether some records do not have it. */
  optional: z.boolean().nullish(),
})
export type DiscoveredField = z.infer<typeof field>

export const discovery = z.looseObject({
  fields: z.array(field),
  /** The content is an extension of the stack. */
  meta: z
    .looseObject({
      /** The records or rows that were read. */
      sampled: z.number().nullish(),
      /** The first of them, at most ten. */
      preview: z.array(z.record(z.string(), z.unknown())).nullish(),
    })
    .nullish(),
})
export type Discovery = z.infer<typeof discovery>
