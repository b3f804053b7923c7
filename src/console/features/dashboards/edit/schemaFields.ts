/** The fields of a configuration, read from the contract's schema: help for editing it as JSON. */
import { z } from 'zod'
import { tileConfigStrict } from '#contract/tileConfigs.ts'
import type { TileConfig } from '#console/telemetry/tileQuery.ts'

export interface SchemaField {
  name: string
  required: boolean
  /** Its type in a few words: `text`, `list of object`, `"log" or "linear"`. */
  takes: string
}

/** The part of JSON Schema that the contract's configurations use. */
const node = z.looseObject({
  type: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  get items() {
    return z.union([node, z.boolean()]).optional()
  },
  get anyOf() {
    return z.array(node).optional()
  },
  get oneOf() {
    return z.array(node).optional()
  },
  get properties() {
    return z.record(z.string(), node).optional()
  },
  required: z.array(z.string()).optional(),
})
type Node = z.infer<typeof node>

let kinds: Node[] | undefined

/** Every type of configuration, raw SQL included. */
function allKinds(): Node[] {
  kinds ??= leaves(node.parse(z.toJSONSchema(tileConfigStrict, { io: 'input', unrepresentable: 'any' })))
  return kinds
}

function leaves(one: Node): Node[] {
  const parts = one.anyOf ?? one.oneOf
  return parts ? parts.flatMap(leaves) : [one]
}

/** The fields of the configuration's kind; null if the kind is unknown. */
export function schemaFields(config: TileConfig | undefined): SchemaField[] | null {
  const isSql = config?.configType === 'sql'
  const kind = allKinds().find(
    ({ properties }) =>
      properties?.displayType?.const === config?.displayType && (properties?.configType?.const === 'sql') === isSql,
  )
  if (!kind?.properties || (config?.configType !== undefined && !isSql)) return null
  const { properties, required = [] } = kind
  return Object.entries(properties)
    .filter(([name]) => name !== 'displayType' && name !== 'configType')
    .map(([name, one]) => ({ name, required: required.includes(name), takes: takenBy(one) }))
}

const words: Record<string, string> = { string: 'text', boolean: 'true or false', integer: 'whole number' }

function takenBy(one: Node): string {
  if (one.const !== undefined) return JSON.stringify(one.const)
  if (one.enum) return one.enum.map((value) => JSON.stringify(value)).join(' or ')
  const parts = one.anyOf ?? one.oneOf
  if (parts) return [...new Set(parts.map(takenBy))].join(' or ')
  if (one.type === 'array') return `list of ${typeof one.items === 'object' ? takenBy(one.items) : 'values'}`
  if (one.properties) return `{ ${Object.keys(one.properties).join(', ')} }`
  return words[one.type ?? ''] ?? one.type ?? 'anything'
}
