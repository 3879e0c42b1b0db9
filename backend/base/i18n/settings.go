package i18n

// settingsWords are what is wrong in the settings file. Each starts with the file and the line.
var settingsWords = map[string]string{
	"%ssecurity: %q under %s isn't a network. Use CIDR, such as 192.0.2.0/24, or 192.0.2.7/32 for a " +
		"single address": "" +
		"%ssecurity: %[3]sの%[2]qはネットワークではありません。192.0.2.0/24のようにCIDRで指定してください（1つのアドレスなら192.0.2.7/32）",

	"%sgateways[%d] needs a name and a url": "%sgateways[%d]にはnameとurlが必要です",

	"%sgateways[%d]: the name %q is taken. Give the gateway another name": "" +
		"%sgateways[%d]: 名前%qはすでに使われています。別の名前を付けてください",

	"%sdefaultGateway names %q, which is not among the gateways. Use one of: %s": "" +
		"%sdefaultGatewayの%qというゲートウェイはありません。使えるもの: %s",

	"%sgateways: %s of %s: %s": "%sgateways: %[3]sの%[2]s: %[4]s",

	"%sgateways: %s of %s is %q: %s": "%sgateways: %[3]sの%[2]sは%[4]qです: %[5]s",

	"%sbudgets: %s is %s. Use 0 or more. 0 is no limit": "%sbudgets: %sが%sです。0以上にしてください。0は無制限です",

	"%ssandbox.mode is %q. Use one of: %s": "%ssandbox.modeの%qは使えません。使えるもの: %s",

	"%ssandbox: %q is not an absolute path. Begin it with / or ~/": "%ssandbox: %qは絶対パスではありません。/か~/で始めてください",

	"%sprices has %q: a price is one of provider/model, or of provider/* for all others of that provider": "" +
		"%spricesに%qがあります。provider/modelの形か、そのプロバイダーのほかのモデルすべてを表すprovider/*で書いてください",

	"%sprices: %s of %s is %s. Use 0 to %d, in US dollars per million tokens": "" +
		"%sprices: %[3]sの%[2]sが%[4]sです。100万トークンあたりの米ドルで、0から%[5]dまでにしてください",

	"%sproviders: %s has the unknown kind %q and isn't used. Use one of: %s": "" +
		"%sproviders: %sのkindの%qは未知の種類のため、このプロバイダーは使われません。使えるもの: %s",

	"%sdefaultProvider names %q, but there is no such provider. Use one of: %s": "" +
		"%sdefaultProviderの%qというプロバイダーはありません。使えるもの: %s",

	"%scomplexTasks.worker is %q, so an agent does complex tasks alone. Use one of: %s": "" +
		"%scomplexTasks.workerの%qは使えないため、複雑なタスクはエージェント1体が実行します。使えるもの: %s",
}
