/** Dashboards as files of this browser. */
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { parseJson, stringifyJson } from '#contract/wire/json.ts'
import { sources as sourceEndpoints } from '#contract/stack/sources.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { download } from '#console/ui/download.ts'
import { exportName, exportText } from '../files/exportFile.ts'

/** Downloads one dashboard as an object, several as a list. Their sources are named in the file. */
export async function exportDashboards(connectionId: string, dashboards: readonly Dashboard[]): Promise<void> {
  try {
    const sources = await queryClient.ensureQueryData(q(connectionId, sourceEndpoints.list, {}))
    const texts = dashboards.map((dashboard) => exportText(dashboard, sources))
    const [only] = dashboards
    if (dashboards.length === 1 && only && texts[0]) download(exportName(only), 'application/json', texts[0])
    else download('dashboards.json', 'application/json', stringifyJson(texts.map(parseJson), 2))
  } catch (error) {
    toastFailure(error)
  }
}
