/** Rows of logs and traces: docs/DEPLOYMENTS.md#search. */
import { z } from 'zod'
import { resource, wireNumber } from '../wire/kernel.ts'
import { searchLimits, whereLanguages } from './savedSearches.ts'

const maxSearchResults = 2000
export const maxSearchOffset = 10_000

const searchQuery = z.object({
  sourceId: z.string().min(1),
  /** ISO 8601. The handler checks both, because their error is not that of a field. */
  startTime: z.string().optional(),
  endTime: z.string().optional(),
  where: z.string().max(searchLimits.where).default(''),
  whereLanguage: z.enum(whereLanguages).default('lucene'),
  select: z
    .string()
    .max(searchLimits.select)
    .refine((text) => !/;|\bselect\s/i.test(text), 'select must not contain ";" or "SELECT"')
    .default(''),
  orderBy: z.string().max(searchLimits.orderBy).default(''),
  maxResults: z.int().min(1).max(maxSearchResults).default(100),
  offset: z.int().min(0).max(maxSearchOffset).default(0),
})
export type ParsedSearchQuery = z.output<typeof searchQuery>

/** A row by column: texts for 64-bit integers, and for times in ISO 8601 with all digits: `2026-11-20T19:23:48.206000001Z`. */
const searchRow = z.record(z.string(), z.unknown())
export type SearchRow = z.infer<typeof searchRow>

export const search = resource('search', {
  query: {
    method: 'POST',
    scope: 'stack',
    path: '/search',
    variants: ['openSource'],
    mutates: false,
    body: searchQuery,
    bare: ['openSource'],
    result: z.looseObject({ data: z.array(searchRow), rows: wireNumber }),
  },
  /** The SQL of a search, to be read and run: the stack tells it. */
  statement: {
    method: 'POST',
    scope: 'stack',
    path: '/search/statement',
    variants: ['openSource'],
    unspecified: true,
    feature: 'statements',
    mutates: false,
    body: searchQuery,
    result: z.looseObject({ statement: z.string() }),
  },
})
