/** Schemas for names and texts in the bodies of data pipes. */
import { z } from 'zod'

export const name = z.string().min(1).max(255)
export const text = z.string().min(1).max(4096)
export const names = z.array(z.string().min(1).max(255)).max(1000)
export const unique = (list: readonly unknown[]) => new Set(list).size === list.length
export const uniqueNames = names.refine(unique, 'must not name anything twice')

/** A schema whose optional fields can also be null, at any depth: null means omitted. */
export const nullsLeftOut = <S extends z.ZodType>(schema: S) => z.preprocess(withoutNulls, schema)

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (value === null || typeof value !== 'object') return value
  const filled = Object.entries(value).filter(([, item]) => item !== null)
  return Object.fromEntries(filled.map(([key, item]) => [key, withoutNulls(item)]))
}
