/** The cost of an organization's use: docs/DEPLOYMENTS.md#activities-and-cost. */
import { z } from 'zod'
import { openEnum, resource, wireNumber } from '../../wire/kernel.ts'
import { tagFilters } from '../services/serviceParts.ts'

const usageCostRecord = z.looseObject({
  dataWarehouseId: z.string().nullish(),
  serviceId: z.string().nullish(),
  date: z.string(),
  entityType: openEnum(['datawarehouse', 'service', 'clickpipe']),
  entityId: z.string(),
  entityName: z.string().nullish(),
  totalCHC: wireNumber,
  /** Never changes again. */
  locked: z.boolean().nullish(),
  metrics: z.record(z.string(), wireNumber).nullish(),
})
export type UsageCostRecord = z.infer<typeof usageCostRecord>

const usageCostResult = z.looseObject({
  grandTotalCHC: wireNumber,
  costs: z.array(usageCostRecord),
  /** Only of the stack of this product: the amounts are what it would cost in a cloud. */
  notBilled: z.boolean().nullish(),
})
export type UsageCost = z.infer<typeof usageCostResult>

/** The most days that one request can ask for. */
export const maxUsageDays = 31
const day = 24 * 60 * 60 * 1000

const usageCostQuery = z
  .object({
    from_date: z.iso.date('must be a date such as 2026-01-31'),
    to_date: z.iso.date('must be a date such as 2026-01-31'),
    filter: tagFilters,
  })
  .superRefine(({ from_date: from, to_date: to }, context) => {
    const days = (Date.parse(to) - Date.parse(from)) / day + 1
    const message =
      days < 1 ? 'must not be before from_date' : days > maxUsageDays ? `at most ${maxUsageDays} days` : undefined
    if (message) context.addIssue({ code: 'custom', path: ['to_date'], message, input: to })
  })

export const usageCost = resource('usageCost', {
  get: {
    method: 'GET',
    scope: 'organization',
    path: '/usageCost',
    variants: ['managed'],
    query: usageCostQuery,
    result: usageCostResult,
  },
})
