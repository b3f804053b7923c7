import { useQuery } from '@tanstack/react-query'
import { markersQuery } from '#console/api/gateway/markers.ts'
import { paths } from '#console/paths/paths.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { markerKinds } from '#contract/console/markerKinds.ts'
import { counted } from '#domain/text/words.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'

/** Minutes before an alert fired in which what changed may be the cause. */
const minutes = 30

interface ChangesBeforeProps {
  connectionId: string
  /** The connection whose data the alert watches, if it is another one. */
  deploymentsOf?: string | undefined
  /** When it fired: epoch milliseconds. */
  at: number
}

/** "2 changes in the 30 minutes before it fired", which leads to them; nothing without any. */
export function ChangesBefore({ connectionId, deploymentsOf, at }: ChangesBeforeProps) {
  const span = { from: at - minutes * 60_000, to: at }
  const { data } = useQuery(markersQuery({ connectionId, deploymentsOf, span, kinds: markerKinds }))
  const found = data?.items.filter((item) => Date.parse(item.at) >= span.from && Date.parse(item.at) <= at) ?? []
  if (found.length === 0) return null
  const [from, to] = [new Date(span.from).toISOString(), new Date(at + 1).toISOString()]
  return (
    <Text component="p">
      <TextLink to={paths.history(connectionId)} search={{ from, to }}>
        {counted(found.length, 'change')} in the {minutes} minutes before it fired
      </TextLink>
    </Text>
  )
}
