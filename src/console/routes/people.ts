/** The pages of the people who use the console, and of the own account. */
import { createRoute } from '@tanstack/react-router'
import { UserRound, Users } from 'lucide-react'
import { pages } from '../paths/pages.ts'
import { frame } from './frame.tsx'
import { page } from './page.ts'

export const peopleRoute = createRoute({
  getParentRoute: () => frame,
  path: pages.people.url,
  staticData: { title: 'People', nav: { group: 'This console', icon: Users, audience: 'administrators' } },
  ...page('people'),
})

export const accountRoute = createRoute({
  getParentRoute: () => frame,
  path: pages.account.url,
  staticData: { title: 'My account', nav: { group: 'This console', icon: UserRound, audience: 'others' } },
  ...page('account'),
})
