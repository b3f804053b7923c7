import { useQuery } from '@tanstack/react-query'
import { useMatches } from '@tanstack/react-router'
import { useState } from 'react'
import { useSignedOut } from '#console/api/send.ts'
import { sessionQuery } from '#console/api/session.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { useFrameConnection } from '../connection.tsx'

// Most pages show none of these, so their code is loaded on demand.
const SignedOutNotice = lazyComponent(async () => (await import('./notices.tsx')).SignedOutNotice)
const NewBuildNotice = lazyComponent(async () => (await import('./notices.tsx')).NewBuildNotice)
const SampleNotice = lazyComponent(async () => (await import('./SampleNotice.tsx')).SampleNotice)

/** What a person should know on every page: signed out, a newer build, sample data. */
export function FrameNotices() {
  const showsSample = useMatches({ select: (matches) => matches.some((match) => match.staticData.showsSample) })
  const { connection, inAddress } = useFrameConnection()
  const signedOut = useSignedOut()
  const newBuild = useNewBuild()
  return (
    <>
      {signedOut && <SignedOutNotice />}
      {newBuild && <NewBuildNotice />}
      {showsSample && inAddress && connection && <SampleNotice key={connection.id} connection={connection} />}
    </>
  )
}

/** Interval of checks for a newer build, in milliseconds. Only the console's own server is requested. */
const buildCheck = 120_000

/** Whether the server serves a build other than the one that this page came from. */
function useNewBuild(): boolean {
  const { data } = useQuery({ ...sessionQuery, refetchInterval: buildCheck })
  const [first] = useState(data?.build)
  return data !== undefined && first !== undefined && data.build !== first
}
