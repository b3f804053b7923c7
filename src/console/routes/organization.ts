/** The pages of the organization: who may use its API, and what was done with it. */
import { createRoute } from '@tanstack/react-router'
import { Building2, CircleDollarSign, History, KeyRound, LockKeyhole, Users } from 'lucide-react'
import type { Variant } from '#contract/wire/kernel.ts'
import { connection } from './frame.tsx'
import { below, page, validIds } from './page.ts'
import { recordRoutes } from './record.ts'

const group = 'Access'
const variants: readonly Variant[] = ['managed']

const membersRoute = createRoute({
  getParentRoute: () => connection,
  path: below('members', 'connectionHome'),
  staticData: { title: 'Members', nav: { group, icon: Users, needs: { resource: 'members', variants }, key: 'u' } },
  ...page('members'),
})

const activitiesRoute = createRoute({
  getParentRoute: () => connection,
  path: below('activities', 'connectionHome'),
  staticData: {
    title: 'Activities',
    nav: {
      section: 'Audit',
      tab: 'Organization',
      icon: History,
      needs: { resource: 'activities', variants },
      key: 'y',
    },
  },
  ...page('activities'),
})

const organizationRoute = createRoute({
  getParentRoute: () => connection,
  path: below('organization', 'connectionHome'),
  staticData: {
    title: 'Organization',
    nav: { group, icon: Building2, needs: { resource: 'organizations', variants } },
  },
  ...page('organization'),
})

const usageRoute = createRoute({
  getParentRoute: () => connection,
  path: below('usage', 'connectionHome'),
  staticData: {
    title: 'Usage and cost',
    nav: { group: 'Cost', icon: CircleDollarSign, needs: { resource: 'usageCost', variants } },
  },
  ...page('usage'),
})

/** A page of API keys alone, besides those that all resources have. */
const rotationRoute = createRoute({
  getParentRoute: () => connection,
  path: below('rotateApiKey', 'connectionHome'),
  params: { parse: (params) => validIds(params) },
  staticData: { title: 'Rotation of an API key' },
  ...page('rotateApiKey'),
})

export const organizationRoutes = [
  membersRoute,
  recordRoutes('apiKeys', { group, icon: KeyRound, key: 'k', variants, creates: variants, named: 'get' }),
  rotationRoute,
  recordRoutes('roles', { group, icon: LockKeyhole, key: 'r', variants, creates: variants, named: 'get' }),
  organizationRoute,
  usageRoute,
  activitiesRoute,
] as const
