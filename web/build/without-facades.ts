import type { Plugin, Rolldown } from 'vite'

/** A file that only hands on what stands in another: `export{t as Shell}from"./inside-1a2b.js";` */
const facade = /^export\{([^}]*)\}from"\.\/([^"]+)";?\s*$/

export const isFacade = (file: Rolldown.OutputBundle[string] | undefined): boolean =>
  file?.type === 'chunk' && facade.test(file.code)

/**
 * The bundler makes such a file for each module that is loaded by and by but lies in a file with others. On HTTP/1.1 it
 * takes one of six connections for a turn of the network: who would load it loads the other one instead.
 */
export const withoutFacades = (): Plugin => ({
  name: 'without-facades',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const chunks = Object.values(bundle).filter(each => each.type === 'chunk')
      for (const { fileName, code } of chunks.filter(isFacade)) {
        const [, names = '', target = ''] = facade.exec(code) ?? []
        const handedOn = names.split(',').map(each => {
          const [own, other = own] = each.split(' as ')
          return `${other}:e.${own}`
        })
        const name = fileName.slice(fileName.lastIndexOf('/') + 1)
        for (const each of chunks)
          each.code = each.code.replaceAll(
            `import(\`./${name}\`)`,
            `import(\`./${target}\`).then(e=>({${handedOn.join()}}))`,
          )
        const left = chunks.find(each => each.fileName !== fileName && each.code.includes(name))
        if (left) throw new Error(`${left.fileName} needs ${name}, which only hands on what stands in ${target}`)
        delete bundle[fileName]
      }
    },
  },
})
