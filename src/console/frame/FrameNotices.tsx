import { useQuery } from '@tanstack/react-query'
import { useMatches } from '@tanstack/react-router'
import { useState } from 'react'
import { useSignedOut } from '#console/api/send.ts'
import { sessionQuery } from '#console/api/session.ts'
import { telemetryUrls } from '#console/paths/pages.ts'
import type { DamageSummary } from '#contract/wire/damage.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { SampleNoticePlace } from './SampleNoticeBar.tsx'

// Most pages show none of these, so their code is loaded on demand.
const SignedOutNotice = lazyComponent(async () => (await import('./notices.tsx')).SignedOutNotice)
const OtherPersonNotice = lazyComponent(async () => (await import('./notices.tsx')).OtherPersonNotice)
const NewBuildNotice = lazyComponent(async () => (await import('./notices.tsx')).NewBuildNotice)
const DamageNotice = lazyComponent(async () => (await import('./notices.tsx')).DamageNotice)
const SampleNotice = lazyComponent(async () => (await import('./SampleNotice.tsx')).SampleNotice, SampleNoticePlace)

/** Notices above every page: signed out, signed in as somebody else, a newer build, sample data, missing telemetry, damaged records. */
export function FrameNotices() {
  const showsSample = useMatches({ select: (matches) => matches.some(({ fullPath }) => telemetryUrls.has(fullPath)) })
  const { connection, inAddress } = useFrameConnection()
  const signedOut = useSignedOut()
  const { newBuild, otherPerson, damage } = useSessionChanges()
  return (
    <>
      {signedOut && <SignedOutNotice />}
      {otherPerson && !signedOut && <OtherPersonNotice name={otherPerson} />}
      {newBuild && <NewBuildNotice />}
      {damage && !signedOut && <DamageNotice damage={damage} of="console" />}
      {showsSample && inAddress && connection && <SampleNotice key={connection.id} connection={connection} />}
    </>
  )
}

interface SessionChanges {
  newBuild: boolean
  otherPerson: string | undefined
  damage: DamageSummary | undefined
}

/** Interval of checks for a newer build, in milliseconds. Only the console's own server is requested. */
const buildCheck = 120_000

/**
 * Whether the server serves a build other than the one that this page came from, and who is signed in if it is not the
 * person for whom the page was opened: all tabs of a browser share a session. Asked again when the tab is shown. Names also
 * the damaged records of the console.
 */
function useSessionChanges(): SessionChanges {
  const { data } = useQuery({ ...sessionQuery, refetchInterval: buildCheck, refetchOnWindowFocus: 'always' })
  const [first] = useState(data)
  const isOther = data?.signedIn === true && first?.signedIn === true && data.person?.email !== first.person?.email
  return {
    newBuild: data !== undefined && first !== undefined && data.build !== first.build,
    damage: data?.damaged,
    otherPerson: isOther ? (data.person?.name ?? 'the administrator of the server') : undefined,
  }
}
