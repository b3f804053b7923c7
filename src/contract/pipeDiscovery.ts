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
  /** Texts by name, as deployments have them. Those of the stack are an extension. */
  meta: z.record(z.string(), z.string()).nullish(),
})
export type Discovery = z.infer<typeof discovery>

/** A sample of a source, as the metadata of the stack has it. */
export interface SourceSample {
  /** The records or rows that were read. */
  sampled: number
  /** The first of them, at most ten. */
  preview: readonly Record<string, unknown>[]
}

export const sampleMeta = ({ sampled, preview }: SourceSample): Record<string, string> => ({
  sampled: String(sampled),
  preview: JSON.stringify(preview),
})

/** @returns an empty sample for metadata of another deployment */
export function sampleIn(meta: Discovery['meta']): SourceSample {
  try {
    const preview = z.array(z.record(z.string(), z.unknown())).parse(JSON.parse(meta?.['preview'] ?? '[]'))
    return { sampled: Number(meta?.['sampled'] ?? 0), preview }
  } catch {
    return { sampled: 0, preview: [] }
  }
}
