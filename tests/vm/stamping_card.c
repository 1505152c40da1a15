// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/* Two network cards joined by a wire, each with a PTP hardware clock, as a module for Debian's kernel: no emulated card of QEMU stamps received UDP packets.
 *
 * A card stamps a packet when the other one has sent it: the wire takes no time. Like a real card it interrupts late, for several packets at once; so the
 * kernel's stamps are later than the card's by up to the interval of interrupts. The clocks run at their own rates, from their own epochs.
 */
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/net_tstamp.h>
#include <linux/netdevice.h>
#include <linux/ptp_clock_kernel.h>

#define CARDS 2

static int ppm[CARDS] = {40, -60};
module_param_array(ppm, int, NULL, 0444);
MODULE_PARM_DESC(ppm, "how much faster each card's clock runs than the system's");
static int epoch_s[CARDS] = {37, 1000};
module_param_array(epoch_s, int, NULL, 0444);
MODULE_PARM_DESC(epoch_s, "what each clock showed when the host started");
static int interrupt_us = 1000;
module_param(interrupt_us, int, 0444);
MODULE_PARM_DESC(interrupt_us, "between interrupts of a card");
static int stamp_every = 1;
module_param(stamp_every, int, 0644);
MODULE_PARM_DESC(stamp_every, "a card stamps only each so many received packets");

struct card {
	struct net_device *dev;
	struct net_device *peer;
	struct ptp_clock_info info;
	struct ptp_clock *clock;
	struct hwtstamp_config config;
	struct sk_buff_head arrived;
	struct hrtimer interrupt;
	struct napi_struct napi;
	unsigned int number;
	unsigned int count;
};

static struct net_device *cards[CARDS];

/* At this time since the host started. */
static ktime_t card_time(const struct card *card, s64 raw)
{
	return ns_to_ktime(epoch_s[card->number] * NSEC_PER_SEC + raw + div_s64(raw, 1000000) * ppm[card->number]);
}

static int card_gettimex(struct ptp_clock_info *info, struct timespec64 *ts, struct ptp_system_timestamp *sts)
{
	struct card *card = container_of(info, struct card, info);

	ptp_read_system_prets(sts);
	*ts = ktime_to_timespec64(card_time(card, ktime_get_raw_ns()));
	ptp_read_system_postts(sts);
	return 0;
}

static int card_settime(struct ptp_clock_info *info, const struct timespec64 *ts)
{
	return -EOPNOTSUPP;
}

static int card_adjtime(struct ptp_clock_info *info, s64 delta)
{
	return -EOPNOTSUPP;
}

static int card_adjfine(struct ptp_clock_info *info, long scaled_ppm)
{
	return -EOPNOTSUPP;
}

static enum hrtimer_restart card_interrupt(struct hrtimer *timer)
{
	struct card *card = container_of(timer, struct card, interrupt);

	napi_schedule(&card->napi);
	return HRTIMER_NORESTART;
}

static int card_poll(struct napi_struct *napi, int budget)
{
	struct card *card = container_of(napi, struct card, napi);
	struct sk_buff *skb;
	int done = 0;

	while (done < budget && (skb = skb_dequeue(&card->arrived))) {
		napi_gro_receive(napi, skb);
		++done;
	}
	if (done < budget && napi_complete_done(napi, done) && !skb_queue_empty(&card->arrived))
		napi_schedule(napi);
	return done;
}

static void card_receive(struct card *card, struct sk_buff *skb, s64 raw)
{
	skb->ip_summed = CHECKSUM_UNNECESSARY;
	if (card->config.rx_filter == HWTSTAMP_FILTER_ALL && card->count++ % stamp_every == 0)
		skb_hwtstamps(skb)->hwtstamp = card_time(card, raw);
	skb_queue_tail(&card->arrived, skb);
	if (!hrtimer_active(&card->interrupt))
		hrtimer_start(&card->interrupt, ns_to_ktime(interrupt_us * NSEC_PER_USEC), HRTIMER_MODE_REL_SOFT);
}

static netdev_tx_t card_send(struct sk_buff *skb, struct net_device *dev)
{
	struct card *card = netdev_priv(dev);
	struct card *peer = netdev_priv(card->peer);
	unsigned int bytes = skb->len;
	s64 raw = ktime_get_raw_ns();

	if ((skb_shinfo(skb)->tx_flags & SKBTX_HW_TSTAMP) && card->config.tx_type == HWTSTAMP_TX_ON) {
		struct skb_shared_hwtstamps stamp = { .hwtstamp = card_time(card, raw) };

		skb_shinfo(skb)->tx_flags |= SKBTX_IN_PROGRESS;
		skb_tstamp_tx(skb, &stamp);
	}
	skb_tx_timestamp(skb);
	if (skb_unclone(skb, GFP_ATOMIC) || !netif_running(card->peer) || __dev_forward_skb(card->peer, skb) != NET_RX_SUCCESS) {
		dev->stats.tx_dropped++;
		dev_kfree_skb_any(skb);
		return NETDEV_TX_OK;
	}
	skb_shinfo(skb)->tx_flags = 0;
	memset(skb_hwtstamps(skb), 0, sizeof(*skb_hwtstamps(skb)));
	dev_sw_netstats_tx_add(dev, 1, bytes);
	card_receive(peer, skb, raw);
	return NETDEV_TX_OK;
}

static int card_open(struct net_device *dev)
{
	struct card *card = netdev_priv(dev);

	napi_enable(&card->napi);
	netif_carrier_on(dev);
	netif_start_queue(dev);
	return 0;
}

static int card_stop(struct net_device *dev)
{
	struct card *card = netdev_priv(dev);

	netif_stop_queue(dev);
	hrtimer_cancel(&card->interrupt);
	napi_disable(&card->napi);
	skb_queue_purge(&card->arrived);
	return 0;
}

static int card_ioctl(struct net_device *dev, struct ifreq *request, int command)
{
	struct card *card = netdev_priv(dev);
	struct hwtstamp_config config = card->config;

	if (command == SIOCSHWTSTAMP) {
		if (copy_from_user(&config, request->ifr_data, sizeof(config)))
			return -EFAULT;
		if (config.tx_type > HWTSTAMP_TX_ON || (config.rx_filter != HWTSTAMP_FILTER_NONE && config.rx_filter != HWTSTAMP_FILTER_ALL))
			return -ERANGE;
		card->config = config;
	} else if (command != SIOCGHWTSTAMP) {
		return -EOPNOTSUPP;
	}
	return copy_to_user(request->ifr_data, &config, sizeof(config)) ? -EFAULT : 0;
}

static int card_ts_info(struct net_device *dev, struct ethtool_ts_info *info)
{
	struct card *card = netdev_priv(dev);

	info->so_timestamping = SOF_TIMESTAMPING_TX_HARDWARE | SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE |
				SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
	info->phc_index = ptp_clock_index(card->clock);
	info->tx_types = BIT(HWTSTAMP_TX_OFF) | BIT(HWTSTAMP_TX_ON);
	info->rx_filters = BIT(HWTSTAMP_FILTER_NONE) | BIT(HWTSTAMP_FILTER_ALL);
	return 0;
}

static const struct net_device_ops card_ops = {
	.ndo_open = card_open,
	.ndo_stop = card_stop,
	.ndo_start_xmit = card_send,
	.ndo_eth_ioctl = card_ioctl,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_get_stats64 = dev_get_tstats64,
};

static const struct ethtool_ops card_ethtool_ops = {
	.get_link = ethtool_op_get_link,
	.get_ts_info = card_ts_info,
};

static void card_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->netdev_ops = &card_ops;
	dev->ethtool_ops = &card_ethtool_ops;
	dev->features |= NETIF_F_SG | NETIF_F_HW_CSUM | NETIF_F_HIGHDMA;
	dev->hw_features = dev->features;
	dev->max_mtu = 9216;
	eth_hw_addr_random(dev);
}

static int make_card(unsigned int number)
{
	struct net_device *dev = alloc_netdev(sizeof(struct card), "card%d", NET_NAME_ENUM, card_setup);
	struct card *card;
	int failed;

	if (!dev)
		return -ENOMEM;
	card = netdev_priv(dev);
	card->dev = dev;
	card->number = number;
	dev->tstats = netdev_alloc_pcpu_stats(struct pcpu_sw_netstats);
	if (!dev->tstats) {
		free_netdev(dev);
		return -ENOMEM;
	}
	skb_queue_head_init(&card->arrived);
	hrtimer_init(&card->interrupt, CLOCK_MONOTONIC, HRTIMER_MODE_REL_SOFT);
	card->interrupt.function = card_interrupt;
	netif_napi_add(dev, &card->napi, card_poll);
	card->info = (struct ptp_clock_info) {
		.owner = THIS_MODULE,
		.name = "stamping card",
		.max_adj = 0,
		.gettimex64 = card_gettimex,
		.settime64 = card_settime,
		.adjtime = card_adjtime,
		.adjfine = card_adjfine,
	};
	card->clock = ptp_clock_register(&card->info, NULL);
	failed = IS_ERR_OR_NULL(card->clock) ? -ENODEV : register_netdev(dev);
	if (failed) {
		if (!IS_ERR_OR_NULL(card->clock))
			ptp_clock_unregister(card->clock);
		free_percpu(dev->tstats);
		free_netdev(dev);
		return failed;
	}
	cards[number] = dev;
	return 0;
}

static void remove_cards(void)
{
	unsigned int i;

	for (i = 0; i < CARDS && cards[i]; ++i)
		unregister_netdev(cards[i]);
	for (i = 0; i < CARDS && cards[i]; ++i) {
		struct card *card = netdev_priv(cards[i]);

		ptp_clock_unregister(card->clock);
		free_percpu(cards[i]->tstats);
		free_netdev(cards[i]);
	}
}

static int __init stamping_card_init(void)
{
	unsigned int i;

	for (i = 0; i < CARDS; ++i) {
		int failed = make_card(i);

		if (failed) {
			remove_cards();
			return failed;
		}
	}
	for (i = 0; i < CARDS; ++i)
		((struct card *)netdev_priv(cards[i]))->peer = cards[1 - i];
	return 0;
}

module_init(stamping_card_init);
module_exit(remove_cards);
MODULE_DESCRIPTION("Two joined network cards with PTP hardware clocks, for tests");
MODULE_LICENSE("GPL");
