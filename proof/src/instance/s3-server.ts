import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CreateBucketCommand, GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3'
import { keys, openCeph } from '../../../server/test/ceph.ts'
import { type FaultyS3, openProxy } from '../../../server/test/s3-proxy.ts'
import { s3 } from '../../../server/test/tools.ts'
import { type MissingTool, missingTool } from '../missing-tool.ts'

/** A real S3 server in memory, behind a faulty network. */
export type S3 = {
  network: FaultyS3
  env: Record<string, string>
  /** Reads a stored file by its hash, bypassing the faulty network. */
  stored(sha256: string): Promise<Buffer | undefined>
  close(): Promise<void>
}

const Bucket = 'proof'

export const lacksS3 = (): MissingTool | undefined =>
  s3.path() ? undefined : missingTool('an S3 server', 'radosgw ceph-mon ceph-osd')

export const openS3 = async (directory: string): Promise<S3> => {
  const home = join(directory, 'ceph')
  mkdirSync(home, { recursive: true })
  const { endpoint, stop } = await openCeph(home)
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials: keys })
  await client.send(new CreateBucketCommand({ Bucket }))
  const network = await openProxy(endpoint, { slowMs: 2000 })
  return {
    network,
    env: {
      STORAGE: `s3://${Bucket}?endpoint=${network.endpoint}&path_style=1`,
      AWS_ACCESS_KEY_ID: keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
    },
    async stored(sha256) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: `files/${sha256}` }))
        return Body && Buffer.from(await Body.transformToByteArray())
      } catch (fault) {
        if (fault instanceof NoSuchKey) return undefined
        throw fault
      }
    },
    async close() {
      client.destroy()
      await network.close()
      await stop()
    },
  }
}
