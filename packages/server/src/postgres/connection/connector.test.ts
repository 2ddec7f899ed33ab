import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectorTo } from './connector.ts'

const optionsOf = (url: string, options?: string): string | undefined => {
  const { Client } = connectorTo(url)
  const client = new Client(options === undefined ? {} : { options }) as unknown as {
    readonly connectionParameters: { readonly options?: string }
  }
  return client.connectionParameters.options
}

test('options in the URL do not replace the settings of the service, which count last', () => {
  const url = 'postgresql://nobody@127.0.0.1/nothing'
  assert.equal(optionsOf(url, '-c timezone=UTC'), '-c timezone=UTC')
  assert.equal(
    optionsOf(`${url}?options=-c%20timezone%3DAsia/Aden%20-c%20work_mem%3D8MB`, '-c timezone=UTC'),
    '-c timezone=Asia/Aden -c work_mem=8MB -c timezone=UTC',
  )
  assert.equal(optionsOf(`${url}?options=-c%20work_mem%3D8MB`), '-c work_mem=8MB')
  assert.equal(optionsOf(`${url}?sslmode=disable&options=endpoint%3Dep-1`, '-c jit=off'), 'endpoint=ep-1 -c jit=off')
})
