/** JSON Schemas for editors: what a file may have, derived from the contract. */
import { z } from 'zod'
import { api } from '#contract/index.ts'
import type { JsonObject } from '../json/json.ts'
import { isPlainObject } from '../json/plainObject.ts'
import { recordKinds } from '#contract/stack/recordKinds.ts'
import { schemaPath, type FileText } from './recordFiles.ts'

/** A schema for each kind, as a file. */
export function schemaFiles(): FileText[] {
  return recordKinds.map((kind) => {
    const schema = z.toJSONSchema(api[kind].create.body, { io: 'input', unrepresentable: 'any' })
    const named = withNames(schema)
    const properties = isPlainObject(named) && isPlainObject(named['properties']) ? named['properties'] : {}
    const whole = {
      ...(isPlainObject(named) ? named : {}),
      properties: {
        id: { type: 'string', description: 'Decides which record it is on its own deployment.' },
        ...properties,
      },
    }
    return { path: schemaPath(kind), text: `${JSON.stringify(whole, null, 2)}\n` }
  })
}

/** Fields that have ids on a deployment have names in a file. */
const names: Record<string, string> = {
  sourceId: 'source',
  connectionId: 'connection',
  dashboardId: 'dashboard',
  tileId: 'tile',
  savedSearchId: 'savedSearch',
  webhookId: 'webhook',
}

function withNames(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNames)
  if (!isPlainObject(schema)) return schema
  const entries = Object.entries(schema).map(([key, value]) => {
    if (key === 'properties' && isPlainObject(value)) return [key, renamed(value)]
    if (key === 'required' && Array.isArray(value)) return [key, value.map((field) => names[String(field)] ?? field)]
    return [key, withNames(value)]
  })
  return Object.fromEntries(entries)
}

function renamed(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => {
      const name = names[key]
      return [name === undefined || name in properties ? key : name, withNames(value)]
    }),
  )
}
