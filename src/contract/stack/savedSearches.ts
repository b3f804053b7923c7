/** Saved searches: docs/DEPLOYMENTS.md#saved-searches, #stack-resources. */
import { z } from 'zod'
import { openEnum, pathId, resource } from '../wire/kernel.ts'
import { listQuery } from '../wire/lists.ts'

export const whereLanguages = ['lucene', 'sql'] as const

/** The limits of a search, which saved searches and `POST /search` share. */
export const searchLimits = { name: 1024, where: 8192, select: 4096, orderBy: 1024, tags: 50, tag: 32, filters: 100 }

/** A condition that is pinned to a search besides `where`. */
const filterInput = z.union([
  z.object({ type: z.enum(whereLanguages).default('sql'), condition: z.string().max(searchLimits.where) }),
  z.object({ type: z.literal('sql_ast'), operator: z.string(), left: z.string(), right: z.string() }),
])
export type SavedSearchFilter = z.output<typeof filterInput>

const name = z.string().trim().min(1).max(searchLimits.name)
const texts = {
  select: z.string().max(searchLimits.select),
  where: z.string().max(searchLimits.where),
  orderBy: z.string().max(searchLimits.orderBy),
}
const tags = z.array(z.string().max(searchLimits.tag)).max(searchLimits.tags)
const filters = z.array(filterInput).max(searchLimits.filters)

/** The input of clients. Fields and choices that only the deployment knows pass through. */
export const savedSearchInput = z.looseObject({
  name,
  sourceId: z.string().min(1),
  select: texts.select.optional(),
  where: texts.where.optional(),
  whereLanguage: openEnum(whereLanguages).optional(),
  orderBy: texts.orderBy.optional(),
  tags: tags.optional(),
  filters: z.array(z.looseObject({})).max(searchLimits.filters).optional(),
})

/** The input that the stack accepts. A field that is left out is reset to its default. */
export const savedSearchInputStrict = z.object({
  name,
  sourceId: z.string().min(1),
  select: texts.select.default(''),
  where: texts.where.default(''),
  whereLanguage: z.enum(whereLanguages).default('lucene'),
  orderBy: texts.orderBy.default(''),
  tags: tags.default([]),
  filters: filters.default([]),
})

/** A saved search as deployments return it. Of managed ones, only id, name and source are certain. */
const savedSearch = z.looseObject({
  id: z.string(),
  name: z.string(),
  sourceId: z.string(),
  select: z.string().nullish(),
  where: z.string().nullish(),
  whereLanguage: openEnum(whereLanguages).nullish(),
  orderBy: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  filters: z.array(z.looseObject({ type: z.string().optional(), condition: z.string().optional() })).nullish(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
})
export type SavedSearch = z.infer<typeof savedSearch>

const record = { volatile: ['updatedAt'] } as const
const both = ['openSource', 'managed'] as const
const savedSearchId = z.object({ savedSearchId: pathId })

export const savedSearches = resource('savedSearches', {
  list: {
    method: 'GET',
    scope: 'stack',
    path: '/saved-searches',
    variants: both,
    paged: true,
    query: listQuery,
    record,
    list: true,
    result: z.array(savedSearch),
  },
  get: {
    method: 'GET',
    scope: 'stack',
    path: '/saved-searches/{savedSearchId}',
    variants: both,
    params: savedSearchId,
    record,
    result: savedSearch,
  },
  create: {
    method: 'POST',
    scope: 'stack',
    path: '/saved-searches',
    variants: both,
    body: savedSearchInput,
    strictBody: savedSearchInputStrict,
    stored: { unreturned: [] },
    result: savedSearch,
  },
  update: {
    method: 'PUT',
    scope: 'stack',
    path: '/saved-searches/{savedSearchId}',
    variants: both,
    params: savedSearchId,
    body: savedSearchInput,
    strictBody: savedSearchInputStrict,
    stored: { unreturned: [] },
    result: savedSearch,
  },
  delete: {
    method: 'DELETE',
    scope: 'stack',
    path: '/saved-searches/{savedSearchId}',
    variants: both,
    params: savedSearchId,
    result: z.unknown(),
  },
})
