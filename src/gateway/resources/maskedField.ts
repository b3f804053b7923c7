/** Masks single fields of a record, as they appear in a comparison or a plan. */
import { api } from '#contract/index.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import type { Path } from '#domain/json/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'
import { masked } from '#node/upstream/masks.ts'

/** The value of a field, masked as in a response of the deployment: any field around it may make it a secret. */
export function maskedField(kind: RecordKind, path: Path, value: unknown): unknown {
  return maskedFieldOf(api[kind].list, path, value)
}

/** A field of a record of any endpoint's resource, masked if it is secret. */
export function maskedFieldOf(endpoint: Endpoint, path: Path, value: unknown): unknown {
  if (value === undefined) return undefined
  const record = path.reduceRight<unknown>(
    (inner, step) => (typeof step === 'string' ? { [step]: inner } : [inner]),
    value,
  )
  return path.reduce<unknown>(
    (outer, step) => {
      if (typeof step === 'string') return isPlainObject(outer) ? outer[step] : undefined
      return Array.isArray(outer) ? outer[0] : undefined
    },
    masked(endpoint, record),
  )
}
