import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useMatches } from '@tanstack/react-router'
import { useState } from 'react'
import { useSignedOut } from '#console/api/send.ts'
import { sessionQuery } from '#console/api/session.ts'
import { paths } from '#console/paths.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { useFrameConnection } from './connection.tsx'
import { LinkButton } from './LinkButton.tsx'
import { SampleNotice } from './SampleNotice.tsx'

/** What a person should know on every page: signed out, a newer build, sample data. */
export function FrameNotices() {
  const showsSample = useMatches({ select: (matches) => matches.some((match) => match.staticData.showsSample) })
  const { connection, inAddress } = useFrameConnection()
  return (
    <>
      <SignedOutNotice />
      <NewBuildNotice />
      {showsSample && inAddress && connection && <SampleNotice key={connection.id} connection={connection} />}
    </>
  )
}

function SignedOutNotice() {
  const signedOut = useSignedOut()
  const href = useLocation({ select: (location) => location.href })
  if (!signedOut) return null
  return (
    <Bar>
      <Notice
        tone="warning"
        role="alert"
        action={
          <LinkButton to={paths.signIn()} search={{ next: href }}>
            Sign in
          </LinkButton>
        }
      >
        Your session has ended. Open a fresh sign-in link from the terminal in another tab and this page goes on, with
        what you typed.
      </Notice>
    </Bar>
  )
}

/** How often the page asks whether a newer build is served, in milliseconds. Only the console's own server is asked. */
const buildCheck = 120_000

function NewBuildNotice() {
  const { data } = useQuery({ ...sessionQuery, refetchInterval: buildCheck })
  const [first] = useState(data?.build)
  if (!data || first === undefined || data.build === first) return null
  return (
    <Bar>
      <Notice tone="info" role="status" action={<Button onClick={() => location.reload()}>Reload</Button>}>
        A newer build of the console is being served.
      </Notice>
    </Bar>
  )
}

export function Bar({ children }: { children: React.ReactNode }) {
  return <Box sx={{ px: { xs: 3, sm: '22px' }, pt: 3 }}>{children}</Box>
}
