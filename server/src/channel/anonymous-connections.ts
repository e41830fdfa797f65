/**
 * Connections not yet authenticated, by network: an attacker gets no more of them than a venue whose two thousand
 * phones reconnect at the same moment.
 */
export const openWaitingConnections = (perNetworkMax: number) => {
  const waiting = new Map<string, number>()
  return {
    mayWait: (network: string) => (waiting.get(network) ?? 0) < perNetworkMax,
    begin: (network: string) => void waiting.set(network, (waiting.get(network) ?? 0) + 1),
    end(network: string) {
      const left = (waiting.get(network) ?? 0) - 1
      if (left > 0) waiting.set(network, left)
      else waiting.delete(network)
    },
    networks: () => waiting.size,
  }
}
