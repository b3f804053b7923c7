/** The fields of a configuration, read from the contract's schema: help for editing it as JSON. */
import type { z } from 'zod'
import { tileConfigStrict } from '#contract/stack/dashboards/tileConfigs.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'

export interface SchemaField {
  name: string
  required: boolean
  /** Its type in a few words: `text`, `list of object`, `"log" or "linear"`. */
  takes: string
}

/** The interface of zod for tools that walk schemas. */
const internalsOf = <S extends { _zod: unknown }>({ _zod: internals }: S): S['_zod'] => internals

// The type of a schema does not tell definitions apart: this is the union of all of them.
const defOf = (schema: z.core.$ZodType) => internalsOf(schema as z.core.$ZodTypes).def

/** The schema of an input without wrappers such as optional, default or transform. */
function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const def = defOf(schema)
  switch (def.type) {
    case 'optional':
    case 'nonoptional':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
      return unwrapSchema(def.innerType)
    case 'lazy':
      return unwrapSchema(def.getter())
    case 'pipe':
      return unwrapSchema(defOf(def.in).type === 'transform' ? def.out : def.in)
    default:
      return schema
  }
}

type Shape = Readonly<Record<string, z.core.$ZodType>>

/** Every type of configuration, raw SQL included. */
function shapesOf(schema: z.core.$ZodType): Shape[] {
  const def = defOf(unwrapSchema(schema))
  if (def.type === 'union') return def.options.flatMap(shapesOf)
  return def.type === 'object' ? [def.shape] : []
}

/** The only value that a schema accepts; undefined if it accepts more. */
function constantOf(schema: z.core.$ZodType | undefined): unknown {
  const def = schema && defOf(unwrapSchema(schema))
  return def?.type === 'literal' && def.values.length === 1 ? def.values[0] : undefined
}

/** The fields of the configuration's kind; null if the kind is unknown. */
export function schemaFields(config: TileConfig | undefined): SchemaField[] | null {
  const isSql = config?.configType === 'sql'
  const shape = shapesOf(tileConfigStrict).find(
    ({ displayType, configType }) =>
      displayType && constantOf(displayType) === config?.displayType && (constantOf(configType) === 'sql') === isSql,
  )
  if (!shape || (config?.configType !== undefined && !isSql)) return null
  return Object.entries(shape)
    .filter(([name]) => name !== 'displayType' && name !== 'configType')
    .map(([name, property]) => ({
      name,
      required: internalsOf(property).optin === undefined,
      takes: takenBy(property),
    }))
}

/** `z.int()` is a format of numbers, and `.int()` a check with it. */
const isWhole = (variant: object) => 'format' in variant && String(variant.format).includes('int')

function takenBy(schema: z.core.$ZodType): string {
  const def = defOf(unwrapSchema(schema))
  switch (def.type) {
    case 'literal':
      return def.values.map((value) => JSON.stringify(value)).join(' or ')
    case 'enum':
      return Object.values(def.entries)
        .map((value) => JSON.stringify(value))
        .join(' or ')
    case 'union':
      return [...new Set(def.options.map(takenBy))].join(' or ')
    case 'nullable':
      return `${takenBy(def.innerType)} or null`
    case 'array':
      return `list of ${takenBy(def.element)}`
    case 'object':
      return `{ ${Object.keys(def.shape).join(', ')} }`
    case 'string':
      return 'text'
    case 'boolean':
      return 'true or false'
    case 'number':
      return [def, ...(def.checks ?? []).map((check) => internalsOf(check).def)].some(isWhole)
        ? 'whole number'
        : 'number'
    case 'record':
      return 'object'
    default:
      return 'anything'
  }
}
