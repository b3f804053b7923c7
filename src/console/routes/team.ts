/** The pages of a deployment's team and keys. */
import { createRoute } from '@tanstack/react-router'
import { KeyRound, Users } from 'lucide-react'
import { connection } from './frame.tsx'
import { below, page } from './page.ts'

const needs = { resource: 'team', variants: ['openSource'] } as const

const team = createRoute({
  getParentRoute: () => connection,
  path: below('team', 'connectionHome'),
  staticData: { title: 'Team', nav: { group: 'Access', icon: Users, needs } },
  ...page('team'),
})

const teamKeys = createRoute({
  getParentRoute: () => connection,
  path: below('teamKeys', 'connectionHome'),
  staticData: { title: 'Team keys', nav: { group: 'Access', icon: KeyRound, needs } },
  ...page('teamKeys'),
})

export const teamRoutes = [team, teamKeys] as const
