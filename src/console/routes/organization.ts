/** The pages of the organization: who may use its API, and what was done with it. */
import { createRoute } from '@tanstack/react-router'
import { History, KeyRound, LockKeyhole, Users } from 'lucide-react'
import type { Variant } from '#contract/kernel.ts'
import { connection } from './frame.tsx'
import { below, page } from './page.ts'
import { recordRoutes } from './record.ts'

const group = 'Organization'
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
    nav: { group, icon: History, needs: { resource: 'activities', variants }, key: 'y' },
  },
  ...page('activities'),
})

export const organizationRoutes = [
  recordRoutes('apiKey', { group, icon: KeyRound, key: 'k', variants, creates: variants, named: 'get' }),
  recordRoutes('role', { group, icon: LockKeyhole, key: 'r', variants, creates: variants, named: 'get' }),
  membersRoute,
  activitiesRoute,
] as const
