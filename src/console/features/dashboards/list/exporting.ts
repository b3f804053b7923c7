/** Downloads of dashboards. */
import { parseJson, stringifyJson } from '#contract/wire/json.ts'
import { sources as sourceEndpoints } from '#contract/stack/sources.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { download } from '#console/ui/download.ts'
import { counted } from '#domain/text/words.ts'
import { exportName, exportText } from '../files/exportFile.ts'
import { readDashboards } from './readDashboards.ts'

/** Downloads one dashboard as an object, several as a list. Their sources are named in the file. */
export async function exportDashboards(connectionId: string, ids: readonly string[]): Promise<void> {
  try {
    const [sources, dashboards] = await Promise.all([
      queryClient.ensureQueryData(q(connectionId, sourceEndpoints.list, {})),
      readDashboards(connectionId, ids),
    ])
    const gone = ids.length - dashboards.length
    if (gone === ids.length) {
      toast({ tone: 'bad', text: 'The dashboards were deleted meanwhile.' })
      return
    }
    const texts = dashboards.map((dashboard) => exportText(dashboard, sources))
    const [only] = dashboards
    if (ids.length === 1 && only && texts[0]) download(exportName(only), 'application/json', texts[0])
    else download('dashboards.json', 'application/json', stringifyJson(texts.map(parseJson), 2))
    if (gone > 0) toast({ tone: 'bad', text: `The file lacks ${counted(gone, 'dashboard')}, deleted meanwhile.` })
  } catch (error) {
    toastFailure(error)
  }
}
