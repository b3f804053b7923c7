import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Dashboard, dashboards } from '#contract/dashboards.ts'
import { asFailure } from '#console/api/failure.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { checkedBody, droppedFields } from './verdict.ts'
import { pathWords, valueWords } from './words.ts'

/**
 * What the deployment itself says about what would be there, where it offers to check. It does not decide: a deployment
 * checks new dashboards more strictly than changed ones.
 */
export function VerdictPart({ target }: { target: Dashboard }) {
  const { id: connectionId } = useConnection()
  const body = useMemo(() => checkedBody(target), [target])
  const check = useQuery({
    ...q(connectionId, dashboards.validate, { body }, { priority: 'user' }),
    retry: false,
    gcTime: 0,
  })
  if (check.isPending) return <Typography color="textSecondary">The deployment is asked to check it…</Typography>
  if (check.isError) {
    const { code, message } = asFailure(check.error)
    const absent = code === 'notOffered' || code === 'notFound'
    return (
      <Typography color="textSecondary">
        {absent
          ? 'This deployment offers no check before saving.'
          : `It could not be checked before saving: ${message}`}
      </Typography>
    )
  }
  const { valid, errors, normalized } = check.data
  const lost = droppedFields(target, normalized)
  if (valid && lost.length === 0) {
    return <Typography color="textSecondary">The deployment has checked it and finds nothing wrong.</Typography>
  }
  return (
    <Notice tone="warning" role="status">
      {valid
        ? 'The deployment would not keep these fields:'
        : 'The deployment finds this wrong, and may refuse the save:'}
      <Box component="ul" sx={{ m: 0, pl: 4, overflowWrap: 'anywhere' }}>
        {errors.map(({ path, message }) => (
          <li key={`${path} ${message}`}>{path ? `${path}: ${message}` : message}</li>
        ))}
        {lost.map(({ path, before }) => (
          <li key={JSON.stringify(path)}>
            {pathWords(path, target)}: {valueWords(before)}
          </li>
        ))}
      </Box>
    </Notice>
  )
}
