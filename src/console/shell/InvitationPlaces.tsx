import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '#console/api/session.ts'
import { paths } from '#console/paths/paths.ts'
import { Notice } from '#console/ui/Notice.tsx'
import type { Variant } from '#contract/kernel.ts'
import { useFrameConnection } from './connection.tsx'
import { TextLink } from './LinkButton.tsx'
import css from './InvitationPlaces.module.css'

const places = ['console', 'team', 'organization'] as const
type Place = (typeof places)[number]

const gains: Record<Place, string> = {
  console: 'signs in here, with a role on each connection',
  team: 'shares the records of a deployment and has a personal API key, but no sign-in here',
  organization: 'has roles for services, data pipes and API keys',
}

/** What an invitation is good for, and the two others with their pages: console, team and organization have people of their own. */
export function InvitationPlaces({ here }: { here: Place }) {
  const { connection, connections } = useFrameConnection()
  const { data: session } = useQuery(sessionQuery)
  const withVariant = (variant: Variant) =>
    connection?.variant === variant ? connection : connections.find((one) => one.variant === variant)
  const openSource = withVariant('openSource')
  const managed = withVariant('managed')
  const to: Record<Place, string | undefined> = {
    console: session?.limited ? undefined : paths.people(),
    team: openSource && paths.team(openSource.id),
    organization: managed && paths.members(managed.id),
  }
  const names: Record<Place, string> = {
    console: 'This console',
    team: `Team of ${openSource?.name ?? 'an open-source deployment'}`,
    organization: `Organization of ${managed?.name ?? 'a managed deployment'}`,
  }
  return (
    <Notice tone="info">
      The console, a team and an organization each have their own people. This invitation is for the first:
      <ul className={css.places}>
        {[here, ...places.filter((place) => place !== here)].map((place) => (
          <li key={place}>
            {place === here && <b>{names[place]}</b>}
            {place !== here && to[place] !== undefined && (
              <TextLink to={to[place]} underline="always">
                {names[place]}
              </TextLink>
            )}
            {place !== here && to[place] === undefined && names[place]}: {gains[place]}.
          </li>
        ))}
      </ul>
    </Notice>
  )
}
