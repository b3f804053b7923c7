/** Names and texts that the bodies of data pipes are made of. */
import { z } from 'zod'

export const name = z.string().min(1).max(255)
export const text = z.string().min(1).max(4096)
export const names = z.array(z.string().min(1).max(255)).max(1000)
export const unique = (list: readonly unknown[]) => new Set(list).size === list.length
export const uniqueNames = names.refine(unique, 'must not name anything twice')
