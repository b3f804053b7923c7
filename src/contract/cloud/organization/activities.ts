/** The activity log of an organization: docs/DEPLOYMENTS.md#activities-and-cost. Entries have no old or new values. */
import { z } from 'zod'
import { openEnum, pathId, resource } from '../../wire/kernel.ts'

export const actorTypes = ['user', 'support', 'system', 'api'] as const

const activity = z.looseObject({
  id: z.string(),
  createdAt: z.string(),
  /** Such as `service_update_name`. */
  type: z.string(),
  actorType: openEnum(actorTypes).nullish(),
  actorId: z.string().nullish(),
  actorDetails: z.string().nullish(),
  actorIpAddress: z.string().nullish(),
  userAgent: z.string().nullish(),
  organizationId: z.string().nullish(),
  serviceId: z.string().nullish(),
  targetKeyId: z.string().nullish(),
  /** The changed property of a key. */
  keyUpdateType: z.string().nullish(),
})
export type Activity = z.infer<typeof activity>

const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

export const activities = resource('activities', {
  list: {
    method: 'GET',
    scope: 'organization',
    path: '/activities',
    variants: ['managed'],
    query: z.object({ from_date: moment.optional(), to_date: moment.optional() }),
    list: true,
    result: z.array(activity),
  },
  get: {
    method: 'GET',
    scope: 'organization',
    path: '/activities/{activityId}',
    variants: ['managed'],
    params: z.object({ activityId: pathId }),
    result: activity,
  },
})
